#!/usr/bin/env bats
# Each client of proto/clients asks a real daemon, over TCP and over a Unix socket, with its own tests.

load helper

setup_file() {
    start_daemon --listen "unix:$BATS_FILE_TMPDIR/socket"
    export NAVMESHD_URL=$BASE NAVMESHD_UNIX=$BATS_FILE_TMPDIR/socket
}

@test "Python: questions, uploads, instances, packed batches, retries" {
    cd "$ROOT/proto/clients/python"
    PYTHONDONTWRITEBYTECODE=1 run -0 python3 -W error test_navmeshd.py
    echo "$output"
    grep -qE '^Ran [1-9][0-9]+ tests' <<<"$output"
}

@test "Python: the client's types are sound" {
    cd "$ROOT/proto/clients/python"
    run -0 mypy --strict --cache-dir "$BATS_TEST_TMPDIR" navmeshd.py
}

@test "TypeScript: questions, uploads, instances, packed batches, retries" {
    [ -x "$ROOT/build/node/node_modules/.bin/tsc" ] || skip "npm's packages are not there"
    local built=$BATS_TEST_TMPDIR/typescript
    "$ROOT/build/node/node_modules/.bin/tsc" -p "$ROOT/proto/clients/typescript" --outDir "$built"
    echo '{"type":"module"}' >"$built/package.json"
    CLIENT=$built/navmeshd.js run -0 node --test --test-reporter=tap "$ROOT/proto/clients/typescript/test.mjs"
    echo "$output"
    grep -qE '^# pass [1-9][0-9]' <<<"$output"
}

@test "C++: questions, uploads, instances, packed batches over a Unix socket, retries" {
    # Either compiler has its own warnings; one of them builds it.
    local strictly=(-std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror "$ROOT/proto/clients/cpp/test.cpp")
    g++ -fsyntax-only "${strictly[@]}"
    clang++ "${strictly[@]}" -lcurl -lpthread -o "$BATS_TEST_TMPDIR/test"
    run -0 "$BATS_TEST_TMPDIR/test"
    [[ $output =~ ^[1-9][0-9]+\ checks$ ]]
}

@test "C#: questions, uploads, instances, packed batches, retries" {
    mcs -langversion:7 -warnaserror -out:"$BATS_TEST_TMPDIR/test.exe" -r:System.Net.Http -r:System.Runtime.Serialization \
        -r:System.Xml -r:System.Core "$ROOT"/proto/clients/csharp/{Navmeshd,Test}.cs
    run -0 mono "$BATS_TEST_TMPDIR/test.exe"
    echo "$output"
    [[ $output =~ ^[1-9][0-9]+\ checks$ ]]
}
