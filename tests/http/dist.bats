#!/usr/bin/env bats
# The tarball of `make dist` has all that a build needs, and a daemon that was built from it bakes and answers.

load helper

setup_file() {
    [ ! -e "$ROOT/.git" ] || make -s -C "$ROOT" dist DIST="$BATS_FILE_TMPDIR/made.tar"
}

setup() {
    own_folder
    [ -e "$ROOT/.git" ] || skip "a tarball is made from a checkout"
    ln -s "$BATS_FILE_TMPDIR/made.tar.gz" .
    FOLDER=$(tar -tzf made.tar.gz | head -n 1)
    FOLDER=${FOLDER%%/*}
}

@test "the same commit gives the same bytes; owner, times and the folder are fixed" {
    make -s -C "$ROOT" tarball DIST="$PWD/again.tar"
    cmp made.tar.gz again.tar.gz
    tar -tvzf made.tar.gz --numeric-owner >listed
    is "$(awk '{ print $2 }' listed | sort -u)" 0/0
    is "$(awk '{ print $4, $5 }' listed | sort -u | wc -l)" 1
    is "$(awk '{ print $6 }' listed | cut -d/ -f1 | sort -u)" "$FOLDER"
}

@test "it builds, and what it builds bakes and answers" {
    tar -xzf made.tar.gz
    cd "$FOLDER"
    # Objects of the release build, made newer than the tarball's sources: only what is linked is made
    # again, and what misses a source or a header.
    mkdir -p build/release
    cp "$ROOT"/build/release/flags build/release/
    cp -r "$ROOT"/build/release/{core,proto,server} build/release/
    make -s -j2 THREE=/nonexistent >"$BATS_TEST_TMPDIR/build.log" 2>&1 || {
        cat "$BATS_TEST_TMPDIR/build.log"
        return 1
    }
    # Where nothing makes the console it is the one that was packed.
    cmp build/console/console.js server/console/made/console.js
    cmp server/console/made/console.js "$ROOT/build/console/console.js"
    NAVMESHD=$PWD/build/release/navmeshd
    is "$("$NAVMESHD" --version)" "${FOLDER/-/ }"
    cd ..
    start_daemon
    bake_mesh yard square.obj
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    is "$(json .status)" complete
}

@test "the clients' packages have the daemon's version, and what is in them can be used" {
    local version=${FOLDER#navmeshd-} build=$ROOT/build
    python3 -m zipfile -e "$build/navmeshd-$version-py3-none-any.whl" wheel
    is "$(PYTHONPATH=wheel PYTHONDONTWRITEBYTECODE=1 python3 -c 'import navmeshd; print(navmeshd.__version__, navmeshd.Client().mesh("town").name)')" "$version town"
    tar -xzf "$build/navmeshd-$version.tgz"
    is "$(cd package && ls | tr '\n' ' ')" 'README.md navmeshd.d.ts navmeshd.js package.json '
    is "$(gojq -r .version package/package.json)" "$version"
    is "$(cd package && node -e 'import("./navmeshd.js").then((m) => console.log(new m.Client().mesh("town").name))')" town
}
