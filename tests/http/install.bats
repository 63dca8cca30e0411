#!/usr/bin/env bats
# All that make install puts in place fits together: binary, units, configuration, documents; and the
# service shuts the daemon off from the rest of the system.

load helper

# Nothing of a make that may have started the tests.
setup_file() {
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX=/usr DESTDIR="$BATS_FILE_TMPDIR/root"
}

setup() {
    trace_test
    cd "$BATS_FILE_TMPDIR/root"
    UNIT=usr/lib/systemd/system/navmeshd.service SOCKET_UNIT=usr/lib/systemd/system/navmeshd.socket
}

@test "binary, library, header, man page, completion, unit, configuration and documents are there" {
    local file
    for file in usr/bin/navmeshd usr/lib/libnavmesh.a usr/include/nav.h usr/share/man/man1/navmeshd.1 \
        usr/share/bash-completion/completions/navmeshd "$UNIT" "$SOCKET_UNIT" etc/navmeshd/navmeshd.json \
        usr/share/doc/navmeshd/{README.md,LICENSE,.github/SECURITY.md} usr/share/doc/navmeshd/{core,proto,server,docker}/README.md; do
        [ -s "$file" ]
    done
    run -0 usr/bin/navmeshd --version
    is "$output" "navmeshd $(sed -n 's/^#define NAVMESHD_VERSION "\(.*\)"/\1/p' "$ROOT/server/base/limits.h")"
}

@test "links in the documents lead to what is installed" {
    local file link seen=0
    while read -r file; do
        while read -r link; do
            [ -e "$(dirname "$file")/$link" ] || {
                echo "$file: $link is not there"
                return 1
            }
            seen=$((seen + 1))
        done < <(sed 's/](/\n](/g' "$file" | sed -nE 's/^\]\(([^)#]+).*/\1/p' | grep -vE '^[a-z]+:' || true)
    done < <(find usr/share/doc/navmeshd -name '*.md')
    [ "$seen" -ge 9 ]
}

@test "the units name what is installed, with no place left to fill in" {
    local unit
    for unit in "$UNIT" "$SOCKET_UNIT"; do
        lacks -q '@[A-Z]*@' "$unit"
        [ -s ".$(sed -n 's/^Documentation=file://p' "$unit")" ]
    done
    is "$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$UNIT")" /usr/bin/navmeshd
    local config
    config=$(sed -n 's/^ExecStart=.* --config \([^ ]*\).*/\1/p' "$UNIT")
    [ -s ".$config" ]
    grep -qx 'Type=notify' "$UNIT"
}

@test "the installed configuration passes --check" {
    run -0 usr/bin/navmeshd --check --config etc/navmeshd/navmeshd.json --db "$BATS_TEST_TMPDIR/a.db"
    is "$output" ok
}

@test "a configuration that is there is kept" {
    echo '{"workers": 1}' >etc/navmeshd/navmeshd.json
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX=/usr DESTDIR="$PWD"
    is "$(cat etc/navmeshd/navmeshd.json)" '{"workers": 1}'
}

@test "a prefix of one's own has all of it, the configuration too" {
    # Nothing is written to the system's folders, which a dry run shows before it could do harm.
    local own=$BATS_TEST_TMPDIR/own
    run -0 env -u MAKEFLAGS -u MFLAGS make -n -s -C "$ROOT" config=release install PREFIX="$own"
    lacks -E '(^|[ =|])/(etc|usr)/' <<<"$output"
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX="$own"
    [ -s "$own/etc/navmeshd/navmeshd.json" ]
    grep -qxF "ExecStart=$own/bin/navmeshd --config $own/etc/navmeshd/navmeshd.json" "$own/lib/systemd/system/navmeshd.service"
    # The database is in no folder of the system's, but where the daemon is started.
    is "$(gojq -r .db "$own/etc/navmeshd/navmeshd.json")" navmeshd.db
    run -0 "$own/bin/navmeshd" --check --config "$own/etc/navmeshd/navmeshd.json"
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX="$own" SYSCONFDIR="$own/stated" STATEDIR="$own/var"
    is "$(gojq -r .db "$own/stated/navmeshd/navmeshd.json")" "$own/var/navmeshd/navmeshd.db"
    run -0 "$own/bin/navmeshd" --check --config "$own/stated/navmeshd/navmeshd.json"
    # The system's own prefixes have their configuration in /etc; another place can be named.
    local prefix
    for prefix in /usr /usr/local; do
        env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX=$prefix DESTDIR="$BATS_TEST_TMPDIR$prefix"
        is "$(gojq -r .db "$BATS_TEST_TMPDIR$prefix/etc/navmeshd/navmeshd.json")" /var/lib/navmeshd/navmeshd.db
    done
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX="$own" SYSCONFDIR="$own/elsewhere"
    [ -s "$own/elsewhere/navmeshd/navmeshd.json" ]
    # A unit cannot name a relative path.
    run -0 env -u MAKEFLAGS -u MFLAGS make -n -s -C "$ROOT" config=release install PREFIX=build/x
    grep -qF "@BINDIR@|$ROOT/build/x/bin|" <<<"$output"
}

@test "a file that is filled in can be read by all, whatever the umask" {
    (umask 077 && env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX=/usr DESTDIR="$BATS_TEST_TMPDIR/masked")
    is "$(cd "$BATS_TEST_TMPDIR/masked" && stat -c %a etc/navmeshd/navmeshd.json "$UNIT" "$SOCKET_UNIT" | tr '\n' ' ')" '644 644 644 '
}

@test "the examples compile with what pkg-config says, bake a level, and find the path around its pond" {
    # The system's own folders are named as well, since here they lie below another root.
    export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
    is "$(pkg-config --modversion navmesh)" "$(usr/bin/navmeshd --version | sed 's/^navmeshd //')"
    local compiler
    for compiler in 'gcc -std=c17' 'clang -std=c17' 'g++ -std=c++17' 'clang++ -std=c++20'; do
        local source=path.c
        [[ $compiler != *++* ]] || source=path.cpp
        # shellcheck disable=SC2046,SC2086 # commands and their words
        $compiler -Wall -Wextra -Wpedantic -Wshadow -Werror usr/share/doc/navmeshd/tests/examples/$source \
            $(pkg-config --cflags --libs navmesh) -o "$BATS_TEST_TMPDIR/path"
        run -0 "$BATS_TEST_TMPDIR/path"
        is "${lines[0]}" '2.00 0.20 2.00'
        is "${lines[-1]}" '2.00 0.20 18.00'
        # Around the end of the pond, by the agent's radius of 0.6 m.
        is "$(printf '%s\n' "${lines[@]:1:${#lines[@]}-2}" | awk '$1 < 16.2 || $1 > 16.8' | wc -l)" 0
    done
}

@test "the unit shuts the daemon off, by name" {
    local line
    for line in DynamicUser=yes ProtectSystem=strict ProtectHome=yes PrivateTmp=yes PrivateDevices=yes \
        PrivateUsers=yes NoNewPrivileges=yes CapabilityBoundingSet= MemoryDenyWriteExecute=yes \
        RestrictNamespaces=yes SystemCallFilter=@system-service IPAddressDeny=any LimitCORE=0; do
        grep -qxF "$line" "$UNIT"
    done
}

@test "the socket unit lets in root and a group, and gives the socket to the service" {
    is "$(sed -n 's/^ListenStream=//p' "$SOCKET_UNIT")" /run/navmeshd.sock
    is "$(sed -n 's/^SocketMode=//p' "$SOCKET_UNIT")" 0660
    is "$(sed -n 's/^SocketUser=//p; s/^SocketGroup=//p' "$SOCKET_UNIT" | tr '\n' ' ')" 'root root '
    grep -qx 'Accept=no' "$SOCKET_UNIT"
    # By its name it belongs to the service beside it.
    lacks -q '^Service=' "$SOCKET_UNIT"
}

@test "systemd-analyze verify: no complaint about either unit" {
    # With the paths that the units have here, since it looks for what they name.
    local unit
    for unit in "$UNIT" "$SOCKET_UNIT"; do
        sed "s|=/usr/bin/navmeshd|=$PWD/usr/bin/navmeshd|; s|/etc/navmeshd|$PWD/etc/navmeshd|" "$unit" \
            >"$BATS_TEST_TMPDIR/${unit##*/}"
    done
    cd "$BATS_TEST_TMPDIR"
    run -0 systemd-analyze verify --man=no --recursive-errors=no ./navmeshd.service ./navmeshd.socket
    is "$(grep -c navmeshd <<<"$output")" 0
    # A wrong setting is seen.
    echo 'SocketMode=many' >>navmeshd.socket
    run systemd-analyze verify --man=no --recursive-errors=no ./navmeshd.socket
    [[ $output == *navmeshd.socket*SocketMode* ]] || [[ $output == *navmeshd.socket*many* ]]
}

@test "systemd-analyze security: at most 2.0" {
    cp "$UNIT" "$BATS_TEST_TMPDIR/navmeshd.service"
    systemd-analyze security --offline=true --threshold=20 --no-pager "$BATS_TEST_TMPDIR/navmeshd.service" \
        >"$BATS_TEST_TMPDIR/report" || {
        cat "$BATS_TEST_TMPDIR/report"
        return 1
    }
    awk '/Overall exposure level/ { for (i = 1; i <= NF; i++) if ($i + 0 > 0) { level = $i }; found = 1 }
        END { exit !(found && level <= 2.0) }' "$BATS_TEST_TMPDIR/report"
}
