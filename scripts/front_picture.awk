# front_picture.awk: the northern strip of the demo's town in few bytes, for the front page.
#
#   awk -v height=360 -f scripts/front_picture.awk build/demo/town.svg >build/demo/front.svg
#
# Keeps polygons and walls that begin within the height or a little below. Their corners become whole pixels, each counted
# from the one before, and neighbours of one colour become one element.

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

function end_fill() {
    if (fill != "") print "\"/>"
    fill = ""
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

/^<path id="walls"/ {
    end_fill()
    match($0, / d="[^"]*/)
    printf "%s", substr($0, 1, RSTART + 3)
    count = split(substr($0, RSTART + 4, RLENGTH - 4), wall, "M")
    x = y = 0
    for (w = 1; w <= count; w++) {
        gsub(/L/, " ", wall[w])
        if (wall[w] != "" && begins_within(wall[w])) printf "%s", line(wall[w], 0)
    }
    print "\"/>"
    next
}

# The scale stands at the bottom of the whole.
/^<g id="scale"/ { skipped = 1 }
skipped { if (/<\/g>/) skipped = 0; next }

{ end_fill(); print }
