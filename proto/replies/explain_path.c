// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain_path.c: why there is no path between two places, or only a part of it: what lies between
// their islands, and which setting would join them; as JSON and as a sentence.

#include "proto/replies/reply.h"

#include <ctype.h>
#include <math.h>

// ---- the sentence ----

// The step leads from the one island to the other, or it is a part of what lies between them, such
// as one side of a wall.
static void say_step(const proto_no_path *facts, nav_coordinates coordinates,
                     char out[PROTO_SENTENCE_BYTES])
{
    proto_sentence s = {.out = out, .size_bytes = PROTO_SENTENCE_BYTES};
    const proto_place_facts *place = facts->place;
    const nav_gap *gap = &facts->islands->gap;
    const float climb = place->config->agent_max_climb, step = facts->step;
    const float rise = gap->points[1][1] - gap->points[0][1];
    const proto_length_text height = proto_say_length(coordinates, (double)fabsf(step));
    if (fabsf(rise) > climb && (rise > 0) == (step > 0)) {
        proto_say(&s, "The ground on the side of the end lies %s %s here than on that of the start",
                  height.text, step > 0 ? "higher" : "lower");
    } else {
        proto_say(&s, "On the way from the start to the end a step of %s leads %s here",
                  height.text, step > 0 ? "up" : "down");
    }
    proto_say(&s, ", and the agent climbs %s (%s).",
              proto_say_setting(coordinates, (double)climb).text,
              proto_agent_setting(place->agent, "max_climb").text);
}

// Says what is amiss at the place.
static void say_amiss(const proto_no_path *facts, nav_coordinates coordinates,
                      char out[PROTO_SENTENCE_BYTES])
{
    if (facts->step != 0) {
        say_step(facts, coordinates, out);
    } else {
        proto_place_say(facts->place, coordinates, out);
    }
}

static void say_place(proto_sentence *s, const proto_no_path *facts, nav_coordinates coordinates)
{
    char place[PROTO_SENTENCE_BYTES];
    if (facts->place != NULL) {
        say_amiss(facts, coordinates, place);
        proto_say(s, " %s", place);
    }
}

// Somebody who asks about the ground under a roof reads that the answer is about the roof, and why.
static void say_put(proto_sentence *s, const char *end, const proto_put *put,
                    nav_coordinates coordinates)
{
    char why[PROTO_SENTENCE_BYTES];
    if (put->off == 0) {
        return;
    }
    proto_say(s, "The %s was put %s %s the place asked", end,
              proto_say_length(coordinates, (double)fabsf(put->off)).text,
              put->off > 0 ? "above" : "below");
    if (put->asked != NULL) {
        proto_place_say(put->asked, coordinates, why);
        why[0] = (char)tolower((unsigned char)why[0]);
        proto_say(s, ", where the agent cannot stand: %s ", why);
    } else {
        proto_say(s, ". ");
    }
}

static void say_blockers(proto_sentence *s, const proto_no_path *facts)
{
    const nav_path_blockers *b = &facts->blockers;
    nav_switch_info info;
    if (b->switch_count > 0) {
        nav_mesh_switch(facts->mesh, b->switches[0], &info);
        proto_say(s, "The way is closed by the switch \"%s\".", info.id);
    } else if (b->shape_count > 0 && b->shapes[0] < facts->shape_count) {
        proto_say(s, "The obstacle \"%.64s\" stands in the way.", facts->shape_ids[b->shapes[0]]);
    } else {
        proto_say(s, "The way is closed in the state of the instance.");
    }
}

// Why a setting was not tried: as `why` and within a sentence.
static const struct untried_words {
    const char *word, *clause;
} UNTRIED[] = {
    [PROTO_UNTRIED_OWN_HEIGHT] = {"own_height", "nobody climbs a step of his own height"},
    [PROTO_UNTRIED_TOO_WIDE] = {"too_wide", "the gap lies in too many tiles"},
    [PROTO_UNTRIED_REFUSED] = {"refused", "a bake with it is refused"},
};

static const struct untried_words *words_of(proto_untried untried)
{
    NAV_ASSERT(untried > PROTO_TRIED && untried <= PROTO_UNTRIED_REFUSED);
    return &UNTRIED[untried];
}

// The value with the unit of the settings, where lengths are reported in others.
static proto_length_text value_text(const proto_change *c, double value,
                                    nav_coordinates coordinates)
{
    return proto_say_setting(c->is_length ? coordinates : (nav_coordinates){.scale = 1}, value);
}

// Each setting with its value, or also with that which it has.
static void say_changes(proto_sentence *s, const proto_trial *t, nav_coordinates coordinates,
                        bool suggested)
{
    for (const proto_change *c = t->changes; c < t->changes + 2 && c->setting.text[0]; c++) {
        proto_say(s, "%s%s %s",
                  c == t->changes ? ""
                  : suggested     ? " and "
                                  : " with ",
                  c->setting.text, value_text(c, c->value, coordinates).text);
        if (suggested) {
            proto_say(s, " instead of %s", value_text(c, c->from, coordinates).text);
        }
    }
}

// Settings that were tried, or those that were left out with the reasons; false: there are none.
static bool say_list(proto_sentence *s, const proto_no_path *facts, nav_coordinates coordinates,
                     bool tried, const char *before)
{
    bool any = false;
    for (uint32_t i = 0; i < facts->trial_count; i++) {
        const proto_trial *t = &facts->trials[i];
        if ((t->untried == PROTO_TRIED) != tried) {
            continue;
        }
        proto_say(s, "%s", !any ? before : t->changes[1].setting.text[0] ? ", nor " : ", ");
        say_changes(s, t, coordinates, false);
        if (!tried) {
            proto_say(s, " (%s)", words_of(t->untried)->clause);
        }
        any = true;
    }
    return any;
}

// The last of the trials that joined them, or NULL.
static const proto_trial *suggested(const proto_no_path *facts)
{
    uint32_t i = facts->trial_count;
    while (i > 0 && !facts->trials[i - 1].joined) {
        i--;
    }
    return i > 0 ? &facts->trials[i - 1] : NULL;
}

static void say_trials(proto_sentence *s, const proto_no_path *facts, nav_coordinates coordinates)
{
    const proto_trial *joined = suggested(facts);
    if (joined != NULL) {
        proto_say(s, " With ");
        say_changes(s, joined, coordinates, true);
        proto_say(s, " they are joined%s.",
                  joined->just_fits                    ? ""
                  : joined->changes[1].setting.text[0] ? ": values that fit; less may do"
                                                       : ": a value that fits; less may do");
        return;
    }
    if (facts->trial_count == 0) {
        proto_say(s, " No setting was tried, since nothing between them depends on a single one.");
        return;
    }
    if (say_list(s, facts, coordinates, true, " No single setting that was tried joins them: ")) {
        proto_say(s, ".");
    } else {
        proto_say(s, " No setting was tried.");
    }
    if (say_list(s, facts, coordinates, false, " Left out: ")) {
        proto_say(s, ".");
    }
}

static void say_unreachable(proto_sentence *s, const proto_no_path *facts,
                            nav_coordinates coordinates)
{
    const proto_islands *islands = facts->islands;
    if (islands == NULL) {
        proto_say(
            s, "There is no way from the start to the end, though they are on one island: a link "
               "leads in one direction only.");
        return;
    }
    proto_say(
        s,
        "The start is on island %u and the end on island %u, which come within %s of each other.",
        islands->gap.components[0], islands->gap.components[1],
        proto_say_length(coordinates, (double)islands->gap.distance).text);
    if (facts->place != NULL) {
        proto_say(s, " Between them:");
        say_place(s, facts, coordinates);
    }
    say_trials(s, facts, coordinates);
}

void proto_no_path_say(const proto_no_path *facts, nav_coordinates coordinates,
                       char out[PROTO_NO_PATH_BYTES])
{
    proto_sentence s = {.out = out, .size_bytes = PROTO_NO_PATH_BYTES};
    out[0] = '\0';
    say_put(&s, "start", &facts->put[0], coordinates);
    say_put(&s, "end", &facts->put[1], coordinates);
    switch (facts->reason) {
    case NAV_REASON_NULL:
        proto_say(&s, "There is a way from the start to the end.");
        return;
    case NAV_REASON_START_OFF_MESH:
    case NAV_REASON_END_OFF_MESH:
        proto_say(&s, "The %s is off the mesh.",
                  facts->reason == NAV_REASON_START_OFF_MESH ? "start" : "end");
        say_place(&s, facts, coordinates);
        return;
    case NAV_REASON_BLOCKED:
        say_blockers(&s, facts);
        return;
    case NAV_REASON_UNREACHABLE:
        say_unreachable(&s, facts, coordinates);
        return;
    default:
        proto_say(&s, "The search was ended before it found a way.");
    }
}

// ---- JSON ----

static void write_between(proto_writer *w, const proto_no_path *facts)
{
    char sentence[PROTO_SENTENCE_BYTES];
    const proto_place_facts *place = facts->place;
    proto_write_key(w, "between");
    if (place == NULL) {
        proto_write_null(w);
        return;
    }
    say_amiss(facts, w->coordinates, sentence);
    proto_write_object_begin(w);
    proto_member_point(w, "position", place->point);
    proto_member_string(w, "reason", facts->step != 0 ? "step" : proto_place_reason(place));
    proto_member_string(w, "sentence", sentence);
    proto_write_object_end(w);
}

static void write_changes(proto_writer *w, const proto_trial *t, bool suggested)
{
    for (int i = 0; i < 2 && t->changes[i].setting.text[0]; i++) {
        if (i > 0) {
            proto_write_key(w, "and");
            proto_write_object_begin(w);
        }
        proto_member_string(w, "setting", t->changes[i].setting.text);
        if (suggested) {
            proto_member_fixed(w, "from", t->changes[i].from, 6);
        }
        proto_member_fixed(w, suggested ? "to" : "value", t->changes[i].value, 6);
    }
    if (t->changes[1].setting.text[0]) {
        proto_write_object_end(w);
    }
}

static void write_list(proto_writer *w, const char *key, const proto_no_path *facts, bool tried)
{
    proto_member_array(w, key);
    for (uint32_t i = 0; i < facts->trial_count; i++) {
        if ((facts->trials[i].untried == PROTO_TRIED) == tried) {
            proto_write_object_begin(w);
            write_changes(w, &facts->trials[i], false);
            if (facts->trials[i].untried == PROTO_TRIED) {
                proto_member_bool(w, "joins", facts->trials[i].joined);
            } else {
                proto_member_string(w, "why", words_of(facts->trials[i].untried)->word);
            }
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

static void write_trials(proto_writer *w, const proto_no_path *facts)
{
    const proto_trial *joined = suggested(facts);
    write_list(w, "trials", facts, true);
    write_list(w, "untried", facts, false);
    proto_write_key(w, "suggest");
    if (joined == NULL) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    write_changes(w, joined, true);
    proto_member_bool(w, "just_fits", joined->just_fits);
    proto_write_object_end(w);
}

void proto_write_why(proto_writer *w, const proto_answer_head *head, const proto_no_path *facts)
{
    char sentence[PROTO_NO_PATH_BYTES];
    proto_no_path_say(facts, w->coordinates, sentence);
    proto_write_answer_begin(w, head);
    proto_member_point(w, "start", facts->start);
    proto_member_point(w, "end", facts->end);
    proto_member_string(w, "status", nav_path_status_word(facts->status));
    proto_member_string(w, "reason", nav_path_reason_word(facts->reason));
    proto_member_string(w, "sentence", sentence);
    if (facts->islands != NULL) {
        proto_write_islands(w, facts->islands);
    }
    write_between(w, facts);
    proto_write_blocked_by(w, facts->mesh, &facts->blockers, facts->shape_ids, facts->shape_count);
    write_trials(w, facts);
    proto_write_object_end(w);
}
