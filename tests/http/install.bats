#!/usr/bin/env bats
# What make install puts in place fits together: binary, unit, configuration, documents; and the unit
# shuts the daemon off from the rest of the system.

load helper

bats_require_minimum_version 1.5.0

# Nothing of a make that may have started the tests.
setup_file() {
    env -u MAKEFLAGS -u MFLAGS make -s -C "$ROOT" config=release install PREFIX=/usr DESTDIR="$BATS_FILE_TMPDIR/root"
}

setup() {
    cd "$BATS_FILE_TMPDIR/root"
    UNIT=usr/lib/systemd/system/navmeshd.service
}

@test "binary, library, header, unit, configuration and documents are there" {
    local file
    for file in usr/bin/navmeshd usr/lib/libnavmesh.a usr/include/nav.h "$UNIT" etc/navmeshd/navmeshd.json \
        usr/share/doc/navmeshd/README.md usr/share/doc/navmeshd/server.md usr/share/doc/navmeshd/LICENSE; do
        [ -s "$file" ]
    done
    run -0 usr/bin/navmeshd --version
    is "$output" "navmeshd $(sed -n 's/^#define NAVMESHD_VERSION "\(.*\)"/\1/p' "$ROOT/server/limits.h")"
}

@test "the unit names what is installed, with no place left to fill in" {
    ! grep -q '@[A-Z]*@' "$UNIT"
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

@test "the unit shuts the daemon off, by name" {
    local line
    for line in DynamicUser=yes ProtectSystem=strict ProtectHome=yes PrivateTmp=yes PrivateDevices=yes \
        PrivateUsers=yes NoNewPrivileges=yes CapabilityBoundingSet= MemoryDenyWriteExecute=yes \
        RestrictNamespaces=yes SystemCallFilter=@system-service IPAddressDeny=any LimitCORE=0; do
        grep -qxF "$line" "$UNIT"
    done
}

@test "systemd-analyze security: at most 2.0" {
    if command -v systemd-analyze >/dev/null; then
        cp "$UNIT" "$BATS_TEST_TMPDIR/navmeshd.service"
        systemd-analyze security --offline=true --threshold=20 --no-pager "$BATS_TEST_TMPDIR/navmeshd.service" \
            >"$BATS_TEST_TMPDIR/report" || {
            cat "$BATS_TEST_TMPDIR/report"
            return 1
        }
        awk '/Overall exposure level/ { for (i = 1; i <= NF; i++) if ($i + 0 > 0) { level = $i }; found = 1 }
            END { exit !(found && level <= 2.0) }' "$BATS_TEST_TMPDIR/report"
    fi
}
