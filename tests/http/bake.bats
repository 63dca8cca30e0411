#!/usr/bin/env bats
# `navmeshd bake` bakes into a database without a server, what it leaves is what an upload leaves,
# and it shows how far it is.

load helper

setup() {
    own_folder
    "$LEVEL_MAKER" town >town.obj
}

bake() {
    "$NAVMESHD" bake --db "$DB" "$@" 2>bake.log
}

# A bake looks every tenth of a second how far it is, and stores tiles every half second. A short one that stands still
# again and again does so as often as a long one.
stand_still() { # process
    kill -STOP "$1" 2>/dev/null || return
    pause 0.1
    kill -CONT "$1"
    pause 0.01
}

slowly() { # command...
    "$@" 3>&- &
    local pid=$! i
    for ((i = 0; i < 20; i++)); do
        stand_still "$pid" || break
    done
    wait "$pid"
}
export -f slowly stand_still pause

@test "its bake is live in a daemon, and equal to an upload's" {
    bake --mesh town=town.obj --mesh yard=square.obj tile_cells=64 agent.radius=0.5 >out
    grep -q '^town version 1: ready, [0-9]* tiles, 0 reused, live$' out
    grep -q '^yard version 1: ready, 4 tiles, 0 reused, live$' out
    is "$(stat -c %a "$DB")" 600
    "$NAVMESHD" verify --db "$DB"
    start_daemon
    ask /v1/meshes/town/versions/1
    is "$(json '.state, .active, .config.agent.radius, .config.tile_cells' | tr '\n' ' ')" \
        'ready true 0.5 64 '
    local sha256
    sha256=$(json .blob.sha256)
    upload '/v1/meshes/again/versions?wait=1&tile_cells=64&agent.radius=0.5&reuse=0' town.obj
    is "$(json .blob.sha256)" "$sha256"
    ask '/v1/meshes/town/path?start=2,0,2&end=30,0,30'
    is "$(json .version)" 1
}

@test "settings from a file; the same once more is the version that is there" {
    echo '{"cell_size":0.25,"areas":{"ground":{"cost":2}}}' >settings.json
    bake --mesh town=town.obj --settings settings.json activate=0 >out
    grep -q '^town version 1: ready, [0-9]* tiles, 0 reused$' out
    bake --mesh town=town.obj --settings settings.json activate=0 >out
    grep -q '^town version 1: stored before' out
    bake --mesh town=town.obj --settings=settings.json >out
    grep -q '^town version 1: stored before.*, live$' out
    start_daemon
    ask /v1/meshes/town/versions/1
    is "$(json '.config.cell_size, .config.areas.ground.cost, .active' | tr '\n' ' ')" '0.25 2 true '
}

@test "a file of packed geometry with settings is what a form of both is" {
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    curl -fsS -o square.navg "$BASE/v1/meshes/yard/versions/1/geometry"
    local settings='{"cell_size":0.25,"areas":{"mud":{"cost":2}},"volumes":[{"shape":"box","min":[5,-1,5],"max":[9,1,9],"area":"mud"}]}'
    echo "$settings" >settings.json
    ask '/v1/meshes/yard/versions?wait=1' -F geometry=@square.navg -F config=@settings.json
    is "$STATUS" 201
    stop_daemon
    bake --mesh yard=square.navg --settings settings.json >out
    grep -q '^yard version 2: stored before' out
}

@test "plain lines where there is no terminal, a bar where there is one" {
    city_obj 2 >city.obj
    slowly "$NAVMESHD" bake --db "$DB" --workers 1 --mesh city=city.obj tile_cells=32 >out
    grep -qE '^city: [1-9]0 %, [0-9]+ of [0-9]+ tiles, 0 reused$' out
    [ "$(grep -c '^city: ' out)" -le 9 ]
    lacks -q '#' out
    SHELL=$BASH script -qec "slowly '$NAVMESHD' bake --db '$DB' --workers 1 --mesh city=city.obj tile_cells=32 reuse=0" /dev/null >out
    grep -q 'city \[#.*\.\]' out
    grep -q 'city version 2: ready' out
}

stands_with_tiles() { # process
    stand_still "$1"
    [ "$(stored_tiles)" -gt 0 ]
}

@test "a bake that is killed goes on where it was" {
    city_obj 3 >city.obj
    "$NAVMESHD" bake --db "$DB" --workers 1 --mesh city=city.obj tile_cells=32 2>/dev/null >/dev/null 3>&- &
    local pid=$! there
    wait_for stands_with_tiles "$pid"
    kill -KILL "$pid"
    wait "$pid" || true
    there=$(stored_tiles)
    bake --mesh city=city.obj tile_cells=32 >out
    grep -q "^city version 1: .*, $there reused, live$" out
    # The same level with one version more than it may keep.
    bake --keep-versions 1 --mesh city=square.obj >out
    is "$(sqlite3 "$DB" 'SELECT group_concat(version) FROM versions')" 2
}

@test "checks that fail: exit code 3, which and why, and what is live stays live" {
    start_daemon
    bake_mesh yard square.obj
    ask /v1/meshes/yard/checks -X PUT -H 'Content-Type: application/json' \
        -d '{"checks":[{"name":"spawn","point":[4,0,2],"expect":"on_mesh"},{"name":"far end","point":[60,0,60],"expect":"on_mesh"}]}'
    is "$STATUS" 200
    stop_daemon
    square_obj 24 >wider.obj
    run -3 "$NAVMESHD" bake --db "$DB" --mesh yard=wider.obj
    grep -qx 'yard version 2: check "far end" failed: the point is off the mesh: .*' <<<"$output"
    lacks -q 'spawn' <<<"$output"
    lacks -q ', live$' <<<"$output"
    is "$(sqlite3 "$DB" "SELECT active FROM meshes WHERE name = 'yard'")" 1
    # Nor the second time; other meshes of the same line are baked all the same.
    run -3 "$NAVMESHD" bake --db "$DB" --mesh yard=wider.obj --mesh town=square.obj
    [[ $output == *'yard version 2: stored before'* ]]
    grep -q '^town version 1: ready.*, live$' <<<"$output"
    # As it is wanted.
    run -0 "$NAVMESHD" bake --db "$DB" --mesh yard=wider.obj force=1
    [[ $output == *'check "far end" failed'* ]]
    grep -q '^yard version 2: stored before.*, live$' <<<"$output"
}

@test "warnings are printed; with --strict they are exit code 4" {
    local setting='agent.radius=0.31'
    run -0 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj "$setting"
    grep -qx 'yard version 1: warning value_clamped: 1, first "agent.radius" (0.6)' <<<"$output"
    grep -q '^yard version 1: ready.*, live$' <<<"$output"
    run -4 "$NAVMESHD" bake --db "$DB" --strict --mesh yard=square.obj "$setting"
    [[ $output == *'warning value_clamped'* ]]
    # What is live stays live.
    run -0 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj
    run -4 "$NAVMESHD" bake --db "$DB" --strict --mesh yard=square.obj agent.radius=0.33
    lacks -q ', live$' <<<"$output"
    is "$(sqlite3 "$DB" "SELECT active FROM meshes WHERE name = 'yard'")" 2
    islands_obj >islands.obj
    run -4 "$NAVMESHD" bake --db "$DB" --mesh islands=islands.obj --strict
    grep -qE '^islands version 1: warning island: 1, first at \[[0-9.]+,[0-9.]+,[0-9.]+\] \([0-9.]+\)$' <<<"$output"
    run -0 "$NAVMESHD" bake --db "$DB" --strict --mesh plain=square.obj
    lacks -q warning <<<"$output"
    # Those of other bodies as well.
    echo '{"agents":{"rat":{"radius":0.31}}}' >rats.json
    run -4 "$NAVMESHD" bake --db "$DB" --mesh plain=square.obj --settings rats.json --strict
    grep -qx 'plain version 2: agent rat: warning value_clamped: 1, first "agent.radius" (0.6)' <<<"$output"
    # Checks that fail come before warnings, what is wrong before both.
    sqlite3 "$DB" "INSERT INTO mesh_checks VALUES ('yard', '{\"checks\":[{\"name\":\"size\",\"min_walkable_area\":4000}]}')"
    run -3 "$NAVMESHD" bake --db "$DB" --strict --mesh yard=square.obj agent.radius=0.32
    run -1 "$NAVMESHD" bake --db "$DB" --strict --mesh yard=square.obj agent.radius=0.32 --mesh none=none.obj
}

@test "--checks sets the checks of each mesh, and what is stored already has to pass them as well" {
    echo '{"checks":[{"name":"spawn","point":[4,0,2],"expect":"on_mesh"}]}' >good.json
    echo '{"checks":[{"name":"far","point":[60,0,60],"expect":"on_mesh"}]}' >bad.json
    run -0 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --mesh town=square.obj --checks good.json
    is "$(sqlite3 "$DB" "SELECT group_concat(mesh) FROM mesh_checks WHERE checks_json LIKE '%spawn%'")" town,yard
    run -3 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --checks bad.json
    grep -q '^yard version 1: stored before.*, live$' <<<"$output"
    grep -q '^yard version 1: check "far" failed: ' <<<"$output"
    square_obj 24 >wider.obj
    run -3 "$NAVMESHD" bake --db "$DB" --mesh yard=wider.obj --checks=bad.json
    is "$(sqlite3 "$DB" "SELECT active FROM meshes WHERE name = 'yard'")" 1
    run -0 "$NAVMESHD" bake --db "$DB" --mesh yard=wider.obj --checks good.json
    grep -q '^yard version 2: stored before.*, live$' <<<"$output"
    # A file that is none changes nothing.
    printf '{"checks":[\n {"name":"far"}]}' >none.json
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --checks none.json
    [[ $output == *'--checks none.json: line 2: checks[0].expect or min_walkable_area'* ]]
    # Settings tell the line, too, with the word that was meant; they have to be right by themselves.
    printf '{"cell_size": 0.3,\n "agent": {\n  "agentRadius": 0.4}}' >wrong.json
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --settings wrong.json
    [[ $output == *'--settings wrong.json: line 3: there is no field "agent.agentRadius" here; did you mean "radius"?'* ]]
    printf '{"agent":\n {"radius": -1}}' >wrong.json
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --settings wrong.json
    [[ $output == *'--settings wrong.json: line 2: '*radius* ]]
    printf '{"cell_size":\n  ,}' >wrong.json
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --settings wrong.json
    [[ $output == *'--settings wrong.json: line 2, column 3: '* ]]
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --checks missing.json
    [[ $output == *'missing.json cannot be read'* ]]
    is "$(sqlite3 "$DB" "SELECT count(*) FROM mesh_checks WHERE checks_json LIKE '%spawn%'")" 2
}

@test "--json: the object that the API has on stdout, a line for each mesh, and all else on stderr" {
    run -0 --separate-stderr "$NAVMESHD" bake --db "$DB" --json --mesh yard=square.obj --mesh town=town.obj
    is "${#lines[@]}" 2
    printf '%s' "${lines[1]}" >town.json
    printf '%s' "${lines[0]}" >yard.json
    grep -q '^town version 1: ready' <<<"$stderr"
    start_daemon
    ask /v1/meshes/town/versions/1
    is "$BODY" "$(cat town.json)"
    ask /v1/meshes/yard/versions/1
    is "$(json .active)" true
    is "$BODY" "$(cat yard.json)"
    stop_daemon
    run -0 --separate-stderr "$NAVMESHD" bake --db "$DB" --json --mesh yard=square.obj
    is "$(gojq -c '[.deduplicated, .version, .active]' <<<"$output")" '[true,1,true]'
    run -4 --separate-stderr "$NAVMESHD" bake --db "$DB" --json --strict --mesh yard=square.obj agent.radius=0.31
    is "$(gojq -c '[.active, .warnings[0].code]' <<<"$output")" '[false,"value_clamped"]'
    [[ $stderr == *'warning value_clamped'* ]]
    # A bake that fails has its object, too; a level that is refused has none.
    run -1 --separate-stderr "$NAVMESHD" bake --db "$DB" --json --mesh yard=square.obj agent.radius=15 agent.height=9
    is "$(gojq -c '[.state, .error.code]' <<<"$output")" '["failed","mesh_empty"]'
    run -1 --separate-stderr "$NAVMESHD" bake --db "$DB" --json --mesh none=none.obj
    is "$output" ''
    # A bar on the terminal that stderr is, while stdout is a file.
    city_obj 2 >city.obj
    SHELL=$BASH script -qec "slowly '$NAVMESHD' bake --json --db '$DB' --workers 1 --mesh city=city.obj tile_cells=32 >city.json" /dev/null >bar
    grep -q 'city \[#.*\.\]' bar
    is "$(gojq -r .state city.json)" ready
}

@test "a file that is not geometry of a known kind is refused by what it is" {
    local file
    printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' >picture
    for file in level.fbx level.obj level.stl level; do
        cp picture "$file"
        run -1 "$NAVMESHD" bake --db "$DB" --mesh "yard=$file"
        [[ $output == *"$file"*'this is a PNG image'* ]]
        run -1 timeout 30 "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --mesh "yard=$file" 3>&-
        [[ $output == *"$file"*'this is a PNG image'* ]]
        run -1 "$NAVMESHD" --check --db "$DB" --mesh "yard=$file"
        [[ $output == *"$file"*'this is a PNG image'* ]]
    done
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM versions')" 0
}

@test "a file whose ending says nothing is read by its first bytes" {
    local file
    for file in level.txt level; do
        square_obj 20 >"$file"
        run -0 "$NAVMESHD" bake --db "$DB" --mesh "yard=$file"
    done
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM versions')" 1
    square_stl >square.stl
    run -0 "$NAVMESHD" bake --db "$DB" --mesh hall=square.stl
    cp square.stl scan.dat
    run -0 "$NAVMESHD" bake --db "$DB" --mesh hall=scan.dat
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM versions')" 2
}

@test "a grid that is too large: its bound, and a cell size that fits, as over HTTP" {
    local few='grid_cells=10000' file suggested
    echo '{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0]],"triangles":[[0,1,2],[0,2,3]],"config":{"cell_size":0.1}}' >fine.json
    run -1 timeout 30 "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --limit "$few" --mesh yard=fine.json 3>&-
    [[ $output == *'at most 10000 are allowed'*'try a cell_size of '* ]]
    # Also with a path that nearly fills a message, and where the library refuses first.
    file=$BATS_TEST_TMPDIR/$(printf 'a%.0s' {1..180}).obj
    cp square.obj "$file"
    for size in 0.1 0.00001; do
        run -1 "$NAVMESHD" bake --db "$DB" --limit "$few" --mesh "yard=$file" "cell_size=$size"
        [[ $output == *'at most 10000 are allowed'* ]]
        suggested=${output##*try a cell_size of }
        is "$(gojq -n "$suggested > 0.2 and $suggested < 0.21")" true
    done
    bake --limit "$few" --mesh "yard=$file" "cell_size=$suggested"
}

@test "an option that a command does not use is refused by its name" {
    bake --mesh yard=square.obj
    refuses() { # option, command and arguments
        local option=$1
        shift
        run -2 "$NAVMESHD" "$@"
        [[ $output == *"$option: navmeshd $1 does not use this option"* ]]
    }
    refuses --workers verify --db "$DB" --workers 3
    refuses --mesh verify --mesh=yard=square.obj
    refuses --strict verify --strict
    refuses --checks verify --checks good.json
    refuses --json verify --json
    refuses --settings backup --db "$DB" copy.db --settings square.obj
    refuses --log-level backup --log-level debug --db "$DB" copy.db
    refuses --listen bake --listen unix:/x --db "$DB" --mesh yard=square.obj
    refuses --check bake --db "$DB" --mesh yard=square.obj --check
    run -2 "$NAVMESHD" --strict
    [[ $output == *'--strict: navmeshd does not use this option'* ]]
    [ ! -e copy.db ]
    # One that there is not, wherever it stands.
    local command
    for command in verify 'backup copy.db' bake; do
        run -2 "$NAVMESHD" $command --bogus
        [[ $output == *'--bogus: there is no such option'* ]]
        run -2 "$NAVMESHD" $command --db
        [[ $output == *'--db: a value is missing'* ]]
    done
    # Each help lists what the command takes; the daemon's configuration is for all.
    echo "{\"db\":\"$DB\",\"listen\":\"127.0.0.1:1\",\"log_level\":\"warn\"}" >daemon.json
    run -0 "$NAVMESHD" verify --config daemon.json
    # It needs no token file where nothing listens.
    echo "{\"db\":\"$DB\",\"listen\":\"0.0.0.0:7650\"}" >open.json
    run -0 "$NAVMESHD" verify --config open.json
    run -0 "$NAVMESHD" backup --config open.json copy.db
    run -0 "$NAVMESHD" bake --config open.json --mesh yard=square.obj
    for command in verify backup bake; do
        run -0 "$NAVMESHD" "$command" --help
        [[ $output == *--config* && $output == *--sandbox* && $output == *--db* ]]
    done
}

@test "a bake that cannot be made says why and leaves nothing live" {
    printf 'v 0 0 0\nv 0 9 0\nv 9 9 0\nf 1 2 3\n' >wall.obj
    run -1 "$NAVMESHD" bake --db "$DB" --mesh wall=wall.obj
    [[ $output == *'no place to stand'* ]]
    run -1 "$NAVMESHD" bake --db "$DB" --mesh none=none.obj
    [[ $output == *'none.obj cannot be read'* ]]
    # The reason is whole, however long.
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj agent.radius=15 agent.height=9
    [[ $output == *'yard version 1 is failed: no place to stand'*'or they are cut out' ]]
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj agent.girth=3
    [[ $output == *agent.girth* ]]
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --settings none.json
    [[ $output == *'none.json cannot be read'* ]]
    echo '{"cell_size":' >broken.json
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj --settings broken.json
    run -2 "$NAVMESHD" bake --db "$DB"
    run -2 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj cell_size
    run -2 "$NAVMESHD" bake --db "$DB" --mesh
    run -2 "$NAVMESHD" bake --nonsense 3
    "$NAVMESHD" bake --help | grep -q -- --settings
    start_daemon
    run -1 "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj
    [[ $output == *'another navmeshd is using it'* ]]
    ask /v1/meshes
    is "$(json '[.meshes[] | select(.active != null and .active != 0)] | length')" 0
}
