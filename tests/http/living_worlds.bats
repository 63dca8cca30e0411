#!/usr/bin/env bats
# The examples of server/api/living_worlds.md run as they stand, and print what the page says.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    start_with
}

# The lines of the page's examples, in order.
examples() {
    awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$BATS_TEST_DIRNAME/../../server/api/living_worlds.md"
}

@test "every example prints what the page says" {
    local url=$BASE line printed='' count=0
    while IFS= read -r line; do
        if [ "${line#\# }" != "$line" ]; then
            is "$printed" "${line#\# }"
            count=$((count + 1))
        else
            printed=$(eval "$line")
        fi
    done < <(examples)
    [ "$count" -ge 19 ]
}
