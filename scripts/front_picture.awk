# front_picture.awk: the northern strip of the demo's town in few bytes, for the front page.
#
#   awk -v height=360 -f scripts/front_picture.awk build/demo/town.svg >build/demo/front.svg
#
# Keeps polygons and walls that begin within the height or a little below. Their corners become whole pixels, each counted
# from the one before, and polygons of one colour, which are of one height, become one element, and so do their walls.

function pixel(number) { return int(number + 0.5) }

function signed(number) { return (number < 0 ? "" : " ") number }

# A line of corners "x y x y", from where the pen is; moves the pen.
function line(corners, closed,    at, count, i, dx, dy, out, first_x, first_y) {
    count = split(corners, at, " ")
    for (i = 1; i < count; i += 2) {
        dx = pixel(at[i]) - x
        dy = pixel(at[i + 1]) - y
        if (i > 1 && dx == 0 && dy == 0) continue
        out = out (i == 1 ? "m" dx : signed(dx)) signed(dy)
        x += dx
        y += dy
        if (i == 1) { first_x = x; first_y = y }
    }
    if (closed) { x = first_x; y = first_y }
    return out (closed ? "z" : "")
}

function begins_within(corners,    at) {
    split(corners, at, " ")
    return at[2] < height + 60
}

# Ends an element of one colour, and draws the walls of its polygons.
function end_fill(    count, w, wall) {
    if (fill != "") print "\"/>"
    fill = ""
    if (walls == "") return
    printf "<path fill=\"none\" stroke=\"#263238\" stroke-width=\"1.5\" d=\""
    count = split(walls, wall, "M")
    x = y = 0
    for (w = 2; w <= count; w++) printf "%s", line(wall[w], 0)
    print "\"/>"
    walls = ""
}

/^<svg / { gsub(/height="[0-9]*"/, "height=\"" height "\""); sub(/viewBox="0 0 [0-9]+ [0-9]+"/, "viewBox=\"0 0 1200 " height "\"") }

/^<path fill="#[0-9a-f]*" d="/ {
    split($0, part, "\"")
    gsub(/[MLZ]/, " ", part[4])
    if (!begins_within(part[4])) next
    if (part[2] != fill) {
        end_fill()
        printf "<path fill=\"%s\" d=\"", part[2]
        fill = part[2]
        x = y = 0
    }
    printf "%s", line(part[4], 1)
    next
}

/^<path fill="none" stroke="#263238" stroke-width="1.5" d="/ {
    split($0, part, "\"")
    count = split(part[8], wall, "M")
    for (w = 2; w <= count; w++) {
        gsub(/L/, " ", wall[w])
        if (begins_within(wall[w])) walls = walls "M" wall[w]
    }
    next
}

# The scale stands at the bottom of the whole.
/^<g id="scale"/ { skipped = 1 }
skipped { if (/<\/g>/) skipped = 0; next }

{ end_fill(); print }
