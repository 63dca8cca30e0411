#!/usr/bin/env bats
# A version from above: the layers that are asked for, the part within bounds, the state of an
# instance; valid XML over all levels; names that would be markup are text; what cannot be drawn is
# an exact error.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
    start_daemon
    cat >config.json <<'CONFIG'
{"tile_cells":64,"agents":{"rat":{"radius":0.2,"height":0.5,"max_climb":0.2}},
 "areas":{"<img src=x onerror=alert(1)>":{"cost":2},"]]><script>alert(2)</script>":{"cost":3},"a\"b'c&d \u202e\ufffe":{}},
 "switches":{"gate'\"&<svg onload=alert(3)>":{"default":"closed","shapes":[{"shape":"box","min":[20,-9,20],"max":[28,9,30]}]}},
 "volumes":[{"shape":"box","area":"<img src=x onerror=alert(1)>","min":[0,-9,0],"max":[30,9,30]},
            {"shape":"box","area":"]]><script>alert(2)</script>","min":[40,-9,40],"max":[60,9,60]},
            {"shape":"box","area":"a\"b'c&d \u202e\ufffe","min":[70,-9,40],"max":[80,9,60]}],
 "links":[{"start":[2,0,2],"end":[12,0,2],"radius":1,"bidirectional":true,"id":"<a href=javascript:alert(4)>"}]}
CONFIG
    ask '/v1/meshes/town/versions?wait=1' -F geometry=@town.obj -F config=@config.json
    is "$STATUS" 201
    ask /v1/meshes/town/instances/run-17 -X PUT -H 'Content-Type: application/json' -d '
        {"obstacles":{"bot-1":{"shape":"circle","center":[10,0,10],"radius":2},
                      "fire":{"shape":"capsule","start":[30,0,40],"end":[60,0,45],"radius":3,"cost":4},
                      "cart":{"shape":"box","min":[70,-1,70],"max":[80,5,75],"yaw":30}},
         "links":{"lift":{"start":[2,0,60],"end":[60,0,2]}}}'
    is "$STATUS" 201
    # Reads pictures as XML, and knows all that may be in one; then what is said of each. In one process,
    # since Python takes long to start.
    cat >look.py <<'LOOK'
import sys, xml.etree.ElementTree as xml
NS = "{http://www.w3.org/2000/svg}"
KNOWN = {"svg": "width height viewBox role", "title": "", "desc": "", "g": "", "rect": "x y width height",
         "path": "d", "circle": "cx cy r", "text": "x y text-anchor", "clipPath": ""}
LOOKS = set("id fill fill-opacity stroke stroke-width stroke-linejoin stroke-linecap stroke-dasharray "
            "font-family font-size font-weight clip-path".split())
def check(root):
    for element in root.iter():
        assert element.tag.startswith(NS) and element.tag[len(NS):] in KNOWN, element.tag
        for name, value in element.attrib.items():
            assert name in LOOKS or name in KNOWN[element.tag[len(NS):]].split(), (element.tag, name)
            assert not any(word in value for word in ("nan", "inf", "script", "alert")), (name, value)
def texts(): return {text.strip() for element in root.iter() for text in [element.text or ""]}
def group(name): return next(element for element in root.iter() if element.get("id") == name)
def count(name): return sum(element.get("id") == name for element in root.iter())
for drawn, said in zip(sys.argv[1::2], sys.argv[2::2]):
    root = xml.parse(drawn).getroot()
    check(root)
    try:
        exec(said)
    except Exception:
        print(drawn, "is not so:", said)
        raise
LOOK
}

# Draws a picture; look_at_all, at the end of a test, says whether all are as they should be.
picture() { # mesh, query string, python that looks at it
    ask "/v1/meshes/$1/versions/1/render.svg?$2"
    is "$STATUS" 200
    is "$(header Content-Type)" image/svg+xml
    local file=$BATS_TEST_TMPDIR/${#PICTURES[@]}.svg
    cp "$BATS_TEST_TMPDIR/body" "$file"
    PICTURES+=("$file" "${3:-}")
}

look_at_all() {
    [ ${#PICTURES[@]} -gt 0 ]
    python3 "$BATS_FILE_TMPDIR/look.py" "${PICTURES[@]}"
}

setup() {
    trace_test
    cd "$BATS_FILE_TMPDIR"
    PICTURES=()
}

@test "layers draw what they say, and nothing else" {
    picture town '' 'assert count("polygons") and not count("legend") and not count("obstacles") and not count("path")'
    picture town layers= 'assert not any(map(count, "polygons level tiles path obstacles walls links".split()))'
    local layer
    for layer in level tiles obstacles; do
        picture town "layers=$layer" "assert [name for name in 'polygons level tiles path obstacles'.split() if count(name)] == ['$layer']"
    done
    picture town 'layers=path&path=2,0,2,90,0,90' 'assert count("path") and not count("polygons")'
    picture town 'layers=areas&path=2,0,2,90,0,90' 'assert not count("path")'
    picture town layers=tiles 'assert "0,0" in texts() and "3,2" in texts()'
    picture town layers=level "assert len(group('level')) == $(grep -c '^f ' "$BATS_FILE_TMPDIR/town.obj")"
    look_at_all
}

@test "what is higher covers what is lower, with its walls" {
    # Floors of a tower, the wider the higher: a bake numbers wide ones first.
    local y
    for y in 0 3 6; do
        printf 'v %s\n' "$((6 - y)) $y $((6 - y))" "$((6 - y)) $y $((y + 20))" \
            "$((y + 20)) $y $((y + 20))" "$((y + 20)) $y $((6 - y))"
        echo 'f -4 -3 -2 -1'
    done >tower.obj
    bake_mesh tower tower.obj
    local layers
    for layers in areas level,areas; do
        # Heights are told by shades, and walls have none: they come right behind their polygon.
        picture tower "layers=$layers" 'shades = [each.get("fill") for each in group("polygons")]
heights = [int(each[1:3], 16) for each in shades if each != "none"]
assert len(set(heights)) == 3 and heights == sorted(heights), shades
walled = {one for one, behind in zip(shades, shades[1:]) if behind == "none"}
assert walled == {each for each in shades if each != "none"}, shades'
    done
    ask '/v1/meshes/tower/versions/1/export?format=svg'
    local export=$BODY
    ask '/v1/meshes/tower/versions/1/render.svg?width=1024'
    is "$BODY" "$export"
    look_at_all
}

@test "hostile names of areas, switches and links are text" {
    picture town 'legend=1&layers=areas,obstacles' 'shown = texts()
for name in ("<img src=x onerror=alert(1)>", "]]><script>alert(2)</script>", "a\"b\x27c&d \u202e\ufffd",
             "gate\x27\"&<svg onload=alert(3)>", "<a href=javascript:alert(4)>", "ground", "switches that are closed"):
    assert name in shown, (name, shown)'
    # A browser that runs none of it is for tests/console.
    ask '/v1/meshes/town/versions/1/render.svg?legend=1&agent=rat'
    [[ $BODY == *'>town, version 1, rat<'* ]]
    look_at_all
}

@test "a path that does not get to its end is dotted, and the legend says so" {
    picture town 'path=2,0,2,90,0,90&legend=1' 'assert "path" in texts() and "a part of the way" not in texts()'
    is "$(grep -c stroke-dasharray=.2 <<<"$BODY" || true)" 0
    ask '/v1/meshes/town/path?start=2,0,2&end=81,10,13'
    is "$(json .status)" partial
    picture town 'path=2,0,2,81,10,13&legend=1' 'assert "a part of the way" in texts() and "path" not in texts()'
    [[ $BODY == *'stroke-dasharray="2 7"'* ]]
}

@test "an instance's obstacles, links and switches are drawn, and the path goes around them" {
    picture town 'instance=run-17&legend=1' 'shown = texts()
assert {"bot-1", "fire", "cart", "lift", "obstacles that block", "obstacles with a cost", "switches that are closed"} <= shown
assert [child.tag[len(NS):] for child in group("obstacles")] == ["circle", "path", "path"]'
    ask '/v1/meshes/town/versions/1/render.svg?path=2,0,2,90,0,90&layers=path'
    local without=$BODY
    ask '/v1/meshes/town/versions/1/render.svg?path=2,0,2,90,0,90&layers=path&instance=run-17'
    [ "$BODY" != "$without" ]
    ask /v1/meshes/town/instances/run-17 -X PATCH -H 'Content-Type: application/json' \
        -d "{\"switches\":{\"gate'\\\"&<svg onload=alert(3)>\":\"open\"}}"
    is "$STATUS" 200
    picture town 'instance=run-17' 'assert len(group("switches")) == 0'
    picture town 'layers=obstacles' 'assert len(group("switches")) > 0'
    ask '/v1/meshes/town/versions/1/render.svg?instance=none'
    is_error 404 instance_not_found
    is "$(json .at)" instance
    look_at_all
}

@test "bounds are the page: a part of the level, or a storey" {
    picture town 'bounds=10,-5,10,60,9,35&width=548' 'assert root.get("width") == "548" and root.get("height") == "330"
assert group("map").get("clip-path") == "url(#frame)"'
    ask '/v1/meshes/town/versions/1/render.svg?bounds=0,-5,0,100,1,100&layers=areas'
    local ground=${#BODY}
    ask '/v1/meshes/town/versions/1/render.svg?bounds=0,-5,0,100,30,100&layers=areas'
    [ "$ground" -lt "${#BODY}" ]
    picture town bounds=900,0,900,901,1,901 'assert "This mesh has no polygons." in texts()'
    picture town 'bounds=900,0,900,901,1,901&layers=level,tiles,areas,obstacles&legend=1' 'assert len(group("level")) == 0'
    # In the level's coordinates: metres that are centimetres, z up.
    awk '$1 == "v" { print "v", $2 * 100, -$4 * 100, $3 * 100; next } 1' town.obj >high.obj
    ask '/v1/meshes/high/versions?wait=1&coordinates=z_up&scale=0.01' -H 'Content-Type: model/obj' --data-binary @high.obj
    is "$STATUS" 201
    picture high 'bounds=1000,-3500,-500,6000,-1000,900&width=548&layers=level,areas' 'assert root.get("height") == "330"
assert len(group("polygons")) > 5 and len(group("level")) > 5'
    look_at_all
}

@test "pictures of all levels are valid" {
    local level
    for level in dungeon terrain city; do
        "$LEVEL_MAKER" $level >$level.obj
        bake_mesh $level $level.obj
        picture $level 'legend=1&layers=level,areas,islands,tiles,obstacles&width=300' 'assert len(group("polygons")) > 20'
    done
    # All colours of one kind only: every pair of layers.
    for level in level areas islands tiles obstacles level,tiles areas,islands areas,obstacles; do
        picture dungeon "layers=$level&legend=1" ''
    done
    look_at_all
}

@test "what is asked wrongly is named" {
    local query at
    while IFS='|' read -r query at; do
        ask "/v1/meshes/town/versions/1/render.svg?$query"
        is_error 422 "${at#* }"
        is "$(json .at)" "${at% *}"
    done <<'WRONG'
layers=walls|layers invalid_field
layers=areas,path|path invalid_field
layers=areas&layers=level|layers invalid_field
legend=maybe|legend invalid_field
bounds=1,2,3|bounds invalid_field
bounds=1,2,3,4,1,6|bounds invalid_field
instance=a/b|instance invalid_field
agent=cat|agent invalid_field
format=svg|format unknown_field
WRONG
    ask '/v1/meshes/town/versions/7/render.svg?layers=level'
    is_error 404 version_not_found
}

@test "a version of tiles has no level" {
    ask '/v1/meshes/town/versions/1/export?format=mset'
    cp "$BATS_TEST_TMPDIR/body" tiles.mset
    ask '/v1/meshes/tiles/versions?wait=1' -F 'geometry=@tiles.mset;type=application/vnd.detour.mset'
    is "$STATUS" 201
    ask '/v1/meshes/tiles/versions/1/render.svg?layers=level,areas'
    is_error 409 no_geometry
    is "$(json .at)" layers
    picture tiles 'layers=areas,islands,tiles&legend=1' 'assert len(group("polygons")) > 100'
    look_at_all
}

@test "size and time of a picture are bounded" {
    own_database
    start_daemon --limit export_bytes=20000 --limit query_ms=10
    ask '/v1/meshes/town/versions?wait=1' -H 'Content-Type: model/obj' --data-binary @town.obj
    is "$STATUS" 201
    ask /v1/meshes/town/versions/1/render.svg
    is_error 422 not_exportable
    is "$(json .at)" bounds
    picture town bounds=0,-9,0,10,9,10 ''
    stop_daemon
    # 60,000 triangles of a metre: little to bake, much to draw.
    { cat town.obj && printf 'v 5 0 15\nv 5 0 16\nv 6 0 16\n' && yes 'f -3 -2 -1' | head -n 60000; } >city.obj
    start_daemon --limit query_ms=10
    ask '/v1/meshes/city/versions?wait=1' -H 'Content-Type: model/obj' --data-binary @city.obj
    is "$STATUS" 201
    ask '/v1/meshes/city/versions/1/render.svg?layers=level,areas'
    is_error 503 overloaded
    is "$(json .at)" bounds
    is "$(json .limit)" 10
    look_at_all
}
