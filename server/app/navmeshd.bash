# Completion of navmeshd's commands, options and words for bash. Options are those that the program
# itself lists, so that they never differ; tests/http/command_line.bats holds the words of settings and
# questions against openapi.json.

_navmeshd_commands='serve bake query diff export replay verify backup'

# How an upload is treated, and its settings.
_navmeshd_settings='wait activate reuse force require_checks strict accept cell_size cell_height
    agent.radius agent.height agent.max_climb agent.max_slope partition tile_cells region_min_size
    region_merge_size edge_max_length edge_split edge_max_error polygon_max_vertices detail
    detail_sample_distance detail_max_error filters.low_hanging filters.ledges filters.low_height
    area_median volumes_reach_up coordinates scale winding'

_navmeshd_common='deadline_ms snap.horizontal snap.up snap.down agent filter avoid version instance record'
_navmeshd_kinds='path nearest floors raycast move wall random flood paths batch matrix reachable trace'

# The words that a kind of question takes.
_navmeshd_question() {
    case $1 in
    path) echo start end search max_nodes max_cost max_length goal_radius clearance partial details expand ;;
    nearest) echo point count above below reachable_from ;;
    floors) echo x y z ;;
    raycast | move) echo start end ;;
    wall) echo point max_radius ;;
    random) echo center radius count seed ;;
    flood) echo start max_cost max_polygons ;;
    *) return ;;
    esac
    echo "$_navmeshd_common"
}

# The words NAME= of a command; kind: of its question.
_navmeshd_words() { # command kind
    case $1 in
    bake) echo "$_navmeshd_settings" ;;
    query) _navmeshd_question "$2" ;;
    diff) echo from to agent ;;
    export) echo version format bounds agent ;;
    esac
}

_navmeshd() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]} command=serve kind='' each i
    [[ " $_navmeshd_commands " == *" ${COMP_WORDS[1]} "* && $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]}
    for ((i = 2; i < COMP_CWORD; i++)); do
        each=${COMP_WORDS[i]}
        [[ " $_navmeshd_kinds " == *" $each "* && ${COMP_WORDS[i - 1]} != --* ]] && kind=$each
    done
    COMPREPLY=()
    case $before in
    --log-level) COMPREPLY=($(compgen -W 'debug info warn error' -- "$word")) ;;
    --log-format) COMPREPLY=($(compgen -W 'text json' -- "$word")) ;;
    --sandbox) COMPREPLY=($(compgen -W 'on off' -- "$word")) ;;
    = | --config | --db | --token-file | --settings | --checks | --body | --output | --mesh | --listen) ;;
    *)
        if [[ $word == -* ]]; then
            COMPREPLY=($(compgen -W "$("$program" "$command" --help 2>/dev/null |
                sed -nE 's/^  (--[a-z-]+).*/\1/p')" -- "$word"))
        elif [[ $COMP_CWORD -eq 1 ]]; then
            COMPREPLY=($(compgen -W "$_navmeshd_commands" -- "$word"))
        elif [[ $command == replay ]]; then
            COMPREPLY=()
        elif [[ $command == query && -z $kind ]]; then
            COMPREPLY=($(compgen -W "$_navmeshd_kinds" -- "$word"))
        else
            COMPREPLY=($(compgen -S = -W "$(_navmeshd_words "$command" "$kind")" -- "$word"))
            [ ${#COMPREPLY[@]} -eq 0 ] || compopt -o nospace
        fi
        ;;
    esac
}

complete -o default -F _navmeshd navmeshd
