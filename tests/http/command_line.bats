#!/usr/bin/env bats
# `navmeshd query`, `diff` and `export` say of a database what the API says, byte by byte, also while a
# daemon is using it, and their exit codes are the answer. The man page and the completion name all there is.

load helper

setup_file() {
    start_with square islands town
    square_obj 24 >wider.obj
    bake_mesh square wider.obj
}

# Runs a command on the daemon's database: its answer in BODY, what it says of an error in TOLD.
run_command() { # exit code, command, arguments
    local code=$1 command=$2
    shift 2
    run "-$code" --separate-stderr "$NAVMESHD" "$command" --db "$DB" "$@"
    BODY=$output TOLD=$stderr
}

# The same as curl says.
same_as() { # path [curl options]
    local said=$BODY
    ask "$@"
    is "$STATUS" 200
    is "$said" "$BODY"
}

@test "a question in the words of the query string: the API's answer" {
    run_command 0 query --mesh town path start=2,0,2 end=70,0,70
    same_as '/v1/meshes/town/path?start=2,0,2&end=70,0,70'
    run_command 0 query path start=2,0,2 end=70,0,70 agent=default snap.up=5 --mesh town
    same_as '/v1/meshes/town/path?start=2,0,2&end=70,0,70&agent=default&snap.up=5'
    run_command 0 query --mesh town nearest point=2,0,2
    same_as '/v1/meshes/town/nearest?point=2,0,2'
    run_command 0 query --mesh square raycast version=1 start=2,0,2 end=70,0,3
    same_as '/v1/meshes/square/raycast?version=1&start=2,0,2&end=70,0,3'
    # JSON in an argument, with all that an address cannot hold.
    local avoid='[{"shape":"circle","center":[10,0,10],"radius":2}]'
    run_command 0 query --mesh square path start=2,0,2 end=18,0,18 "avoid=$avoid"
    same_as /v1/meshes/square/path -G -d start=2,0,2 -d end=18,0,18 --data-urlencode "avoid=$avoid"
}

@test "with --body a question is a POST; - is standard input" {
    local json='{"queries":[{"start":[2,0,2],"end":[70,0,70]},{"start":[2,0,2],"end":[30,0,30]}]}'
    echo "$json" >question.json
    run_command 0 query --mesh town paths --body question.json
    local said=$BODY
    post_json /v1/meshes/town/paths "$json"
    is "$BODY" "$said"
    is "$("$NAVMESHD" query --db "$DB" --mesh town paths --body - <question.json)" "$said"
    echo '{"start":[2,0,2],"end":[70,0,70]}' >path.json
    run_command 0 query --mesh town path --body path.json
    same_as '/v1/meshes/town/path?start=2,0,2&end=70,0,70'
    # 300,000 bytes, which come in pieces.
    gojq -nc '{queries:[range(4000)|{start:[2,0,2],end:[2,0,10]}]}' >many.json
    run_command 0 query --mesh town paths --body many.json
    is "$(json '.results | length')" 4000
    run -2 "$NAVMESHD" query --db "$DB" --mesh town batch
    [[ $output == *'write --body FILE'* ]]
    # What cannot be read is no question.
    run -1 "$NAVMESHD" query --db "$DB" --mesh town paths --body - <.
    [[ $output == *'standard input cannot be read: Is a directory'* ]]
}

@test "an answer that says no is exit code 3" {
    run_command 3 query --mesh islands path start=2,0,2 end=58,0,2
    is "$(json '.status')" partial
    run_command 3 query --mesh square path start=2,0,2 end=700,0,70
    is "$(json .reason)" end_off_mesh
    run_command 3 query --mesh square nearest point=700,0,70
    run_command 3 query --mesh square floors x=700 z=70
    echo '{"sources":[[2,0,2]],"targets":[[18,0,2],[58,0,2]]}' >matrix.json
    run_command 3 query --mesh islands matrix --body matrix.json
    echo '{"start":[2,0,2],"points":[[18,0,2],[18,0,18]]}' >near.json
    run_command 0 query --mesh islands reachable --body near.json
    echo '{"start":[2,0,2],"points":[[18,0,2],[58,0,2]]}' >far.json
    run_command 3 query --mesh islands reachable --body far.json
}

@test "each kind of question says no in its way" {
    while read -r code kind arguments; do
        # shellcheck disable=SC2086 # several of them
        run_command "$code" query --mesh islands "$kind" $arguments
    done <<'END'
0 raycast start=2,0,2 end=18,0,2
3 raycast start=700,0,70 end=18,0,2
0 move start=2,0,2 end=18,0,2
3 move start=700,0,70 end=18,0,2
0 wall point=2,0,2 max_radius=2
3 wall point=700,0,70 max_radius=2
0 flood start=2,0,2 max_cost=30
3 flood start=700,0,70 max_cost=30
0 random count=3
3 random center=700,0,70 radius=1
3 path start=2,0,2 end=58,0,2 partial=false
END
    while read -r code kind json; do
        echo "$json" >question.json
        run_command "$code" query --mesh islands "$kind" --body question.json
    done <<'END'
0 matrix {"sources":[[2,0,2]],"targets":[[18,0,2],[58,0,2]],"nearest":1}
3 matrix {"sources":[[2,0,2],[58,0,2]],"targets":[[18,0,2]],"nearest":1}
0 trace {"positions":[[2,0,2],[18,0,2]]}
3 trace {"positions":[[2,0,2],[58,0,2]]}
0 paths {"queries":[{"start":[2,0,2],"end":[18,0,2]}]}
3 paths {"queries":[{"start":[2,0,2],"end":[18,0,2]},{"start":[2,0,2],"end":[58,0,2]}]}
0 batch {"queries":[{"kind":"nearest","point":[2,0,2]}]}
3 batch {"queries":[{"kind":"nearest","point":[2,0,2]},{"kind":"nearest","point":[700,0,70]}]}
END
}

@test "errors are a sentence with its code on stderr, and exit code 1" {
    run_command 1 query --mesh nobody path start=2,0,2 end=4,0,4
    is "$BODY" ''
    [[ $TOLD == navmeshd:*'(mesh_not_found)' ]]
    run_command 1 query --mesh square path start=2,0 end=4,0,4
    [[ $TOLD == navmeshd:*'(invalid_field at start)' ]]
    run_command 1 query --mesh square path start=2,0,2 end=4,0,4 colour=red
    [[ $TOLD == navmeshd:*'(unknown_field at colour)' ]]
    run_command 1 diff --mesh square from=1 to=9
    [[ $TOLD == navmeshd:*'(version_not_found)' ]]
    run_command 1 query --mesh square path start=2,0,2 end=4,0,4 instance=nobody
    [[ $TOLD == navmeshd:*'(instance_not_found at instance)' ]]
    echo '{' >broken.json
    run_command 1 query --mesh square path --body broken.json
    [[ $TOLD == navmeshd:*'(bad_json'* ]]
    echo '{"points":[[1,0,1]]}' >valid.json
    run_command 1 query --mesh square instances/nobody/valid --body valid.json
    [[ $TOLD == navmeshd:*'(instance_not_found'* ]]
    run -1 "$NAVMESHD" query --db none.db --mesh square path start=2,0,2 end=4,0,4
    [[ $output == *'there is no database none.db'* ]]
    [ ! -e none.db ]
}

@test "a wrong command line is exit code 2, and says what there is" {
    run -2 "$NAVMESHD" query --db "$DB" --mesh square colour
    [[ $output == *'write one of these, not colour: path paths batch '*'instances/{instance}/valid' ]]
    run -2 "$NAVMESHD" query --db "$DB" --mesh square
    run -2 "$NAVMESHD" query --db "$DB" --mesh square versions
    run -2 "$NAVMESHD" query --db "$DB" path start=2,0,2 end=4,0,4
    [[ $output == *'write --mesh NAME'* ]]
    run -2 "$NAVMESHD" query --db "$DB" --mesh ../square path start=2,0,2 end=4,0,4
    run -2 "$NAVMESHD" query --db "$DB" --mesh square path start
    [[ $output == *'write NAME=VALUE, not start'* ]]
    run -2 "$NAVMESHD" diff --db "$DB" --mesh square --body x from=1 to=2
    [[ $output == *'--body: navmeshd diff does not use this option'* ]]
    run -2 "$NAVMESHD" export --db "$DB" --mesh square version=two
    # For the daemon --mesh is another option of the same name.
    run -2 "$NAVMESHD" --db "$DB" --mesh square
    [[ $output == *'write NAME=FILE'* ]]
    run -2 "$NAVMESHD" query --db "$DB" --mesh town path start=2,0,2 end=70,0,70 record=1
    [[ $output == *"a database is only read: leave 'record' out, or ask a daemon, which records"* ]]
    run -2 "$NAVMESHD" query --db "$DB" --mesh town path --body - <<<'{"start":[2,0,2],"end":[70,0,70],"record":true}'
    run -2 "$NAVMESHD" query --db "$DB" --mesh town batch --body - <<<'{"record":true,"queries":[{"kind":"wall","point":[2,0,2]}]}'
    "$NAVMESHD" query --db "$DB" --mesh town path start=2,0,2 end=70,0,70 record=0 >answer
    "$NAVMESHD" query --db "$DB" --mesh town path --body - <<<'{"start":[2,0,2],"end":[70,0,70],"record":false}' | cmp - answer
    # A question that cannot be read is told as that.
    run -1 "$NAVMESHD" query --db "$DB" --mesh town path start=2,0,2 end=70,0,70 record=maybe
    [[ $output == *' at record)'* ]]
}

@test "diff, and a file in place of standard output" {
    run_command 0 diff --mesh square from=1 to=2
    same_as '/v1/meshes/square/versions/diff?from=1&to=2'
    run_command 0 diff --mesh square from=1 to=2 --output "$BATS_TEST_TMPDIR/diff.json"
    is "$BODY" ''
    ask '/v1/meshes/square/versions/diff?from=1&to=2'
    is "$(cat "$BATS_TEST_TMPDIR/diff.json")" "$BODY"
    is "$(ls "$BATS_TEST_TMPDIR" | grep -c part)" 0
    run -1 "$NAVMESHD" diff --db "$DB" --mesh square from=1 to=2 --output /no/such/folder/diff.json
    [[ $output == *'/no/such/folder/diff.json cannot be written'* ]]
}

@test "export, of the live version where none is named, in each format" {
    local format name
    for format in json packed obj glb mset svg; do
        for name in '' version=1; do
            local version=${name#version=}
            ask "/v1/meshes/square/versions/${version:-2}/export?format=$format"
            is "$STATUS" 200
            run_command 0 export --mesh square $name "format=$format" --output "$BATS_TEST_TMPDIR/level"
            cmp "$BATS_TEST_TMPDIR/level" "$BATS_TEST_TMPDIR/body"
            "$NAVMESHD" export --db "$DB" --mesh square $name "format=$format" | cmp - "$BATS_TEST_TMPDIR/body"
        done
    done
    run_command 1 export --mesh nobody format=obj
    [[ $TOLD == *'(mesh_not_found)' ]]
    run_command 1 export --mesh square version=9 format=obj
    [[ $TOLD == *'(version_not_found)' ]]
    run_command 1 export --mesh square
    [[ $TOLD == *'format is missing: one of json, packed, obj, glb, mset, svg (invalid_field at format)'* ]]
    run_command 1 export --mesh square format=dwg
    [[ $TOLD == *'(invalid_field at format)' ]]
    # A mesh without a live version.
    ask /v1/meshes/checked/versions?activate=0\&wait=1 -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    is "$STATUS" 201
    run_command 1 export --mesh checked format=obj
    [[ $TOLD == *'has no live version: write version=N' ]]
}

@test "a database in use is read and left as it is; one that nobody uses as well" {
    local before
    before=$(sqlite3 "$DB" 'SELECT group_concat(name || active || activation) FROM meshes')
    run_command 0 query --mesh square path version=1 start=2,0,2 end=4,0,4
    upload '/v1/meshes/later/versions?wait=1' square.obj
    is "$STATUS" 201
    run_command 0 query --mesh later path start=2,0,2 end=4,0,4
    is "$(sqlite3 "$DB" "SELECT group_concat(name || active || activation) FROM meshes WHERE name != 'later'")" "$before"
    "$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/copy.db" >/dev/null
    chmod 400 "$BATS_TEST_TMPDIR/copy.db"
    local sum
    sum=$(sha256sum <"$BATS_TEST_TMPDIR/copy.db")
    run -0 --separate-stderr "$NAVMESHD" query --db "$BATS_TEST_TMPDIR/copy.db" --mesh square path start=2,0,2 end=4,0,4
    BODY=$output
    same_as '/v1/meshes/square/path?start=2,0,2&end=4,0,4'
    is "$(sha256sum <"$BATS_TEST_TMPDIR/copy.db")" "$sum"
}

@test "a damaged tile is told, by the name of what is damaged" {
    "$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/hurt.db" >/dev/null
    (DB=$BATS_TEST_TMPDIR/hurt.db && damage_tile 1)
    run -1 --separate-stderr "$NAVMESHD" query --db "$BATS_TEST_TMPDIR/hurt.db" --mesh square path version=1 start=2,0,2 end=4,0,4
    [[ $stderr == *'damaged'*'(internal_error at tile 0,0)' ]]
}

@test "serve is the daemon" {
    own_folder
    run -0 "$NAVMESHD" serve --check --db "$DB"
    is "$output" ok
    run -0 "$NAVMESHD" serve --version
    [[ $output == navmeshd\ * ]]
    is "$("$NAVMESHD" serve --help)" "$("$NAVMESHD" --help)"
    run -2 "$NAVMESHD" serve --bogus
    run -2 "$NAVMESHD" server
}

# ---- man page and completion ----

COMMANDS='serve bake query diff export replay verify backup'
MAN=$ROOT/server/app/navmeshd.1
COMPLETION=$ROOT/server/app/navmeshd.bash

# What is offered for the last of these words.
offered() { # words...
    bash -c 'source "$1"; shift
        compopt() { :; }
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _navmeshd
        printf "%s\n" "${COMPREPLY[@]}"' _ "$COMPLETION" "$NAVMESHD" "$@"
}

# The arguments of all operations, with the path and the method before each.
list_arguments() {
    gojq -r '. as $all | .paths | to_entries[] | .key as $path | .value | to_entries[] | select(.value | type == "object")
        | "\($path) \(.key) " + (.value.parameters[]?
        | if has("$ref") then (."$ref" | ltrimstr("#/") | split("/")) as $at | $all | getpath($at) else . end
        | select(.in == "query") | .name + "=")' "$ROOT/server/api/openapi.json" | sort >arguments
}

# The names of an operation's arguments.
arguments() { # path method
    sed -n "s|^$1 $2 ||p" arguments
}

@test "the man page has each command and each option, and nothing is wrong with its form" {
    local command flag page
    run -0 mandoc -Tlint -W warning "$MAN"
    is "$output" ''
    page=$'\n'$(mandoc -Tutf8 "$MAN" | sed 's/.\x08//g')
    for command in $COMMANDS; do
        [[ $page =~ $'\n'\ +navmeshd\ \[?$command ]]
        "$NAVMESHD" "$command" --help
    done >help
    while read -r flag; do
        [[ $page =~ $'\n'\ {5}$flag[$' \n'] ]] || {
            echo "the man page lacks $flag"
            return 1
        }
    done < <(sed -nE 's/^  (--[a-z-]+).*/\1/p' help | sort -u)
    # Nothing else either.
    while read -r flag; do
        grep -q -- "^  $flag" help || {
            echo "there is no $flag"
            return 1
        }
    done < <(sed -nE 's/^     (--[a-z-]+).*/\1/p' <<<"$page")
}

@test "the completion has each command, option, setting and kind of question" {
    local command kind
    list_arguments
    is "$(offered '' | sort)" "$(tr ' ' '\n' <<<"$COMMANDS" | sort)"
    is "$(offered ver)" verify
    for command in $COMMANDS; do
        is "$(offered "$command" --)" "$("$NAVMESHD" "$command" --help | sed -nE 's/^  (--[a-z-]+).*/\1/p')"
    done
    is "$(offered --)" "$(offered serve --)"
    is "$(offered --log-level '')" $'debug\ninfo\nwarn\nerror'
    is "$(offered bake '' | sort)" "$(arguments '/v1/meshes/{mesh}/versions' post)"
    is "$(offered bake cell_)" $'cell_size=\ncell_height='
    is "$(offered diff --mesh x '' | sort)" "$(arguments '/v1/meshes/{mesh}/versions/diff' get)"
    is "$(offered export '' | sort)" "$( (echo version= && arguments '/v1/meshes/{mesh}/versions/{version}/export' get) | sort)"
    local kinds
    kinds=$("$NAVMESHD" query --mesh x nothing 2>&1 | sed -nE 's/.*: (path .*) instances.*/\1/p' | tr ' ' '\n' | sort)
    [ -n "$kinds" ]
    is "$(offered query --mesh path '' | sort)" "$kinds"
    while read -r kind; do
        is "$(offered query "$kind" '' | sort)" "$(arguments "/v1/meshes/{mesh}/$kind" get)"
    done <<<"$kinds"
    # Files are for the shell.
    is "$(offered bake --settings '')" ''
    is "$(offered bake --db '')" ''
}
