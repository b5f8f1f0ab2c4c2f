#include "command_mask.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A secret, searched as Knuth, Morris and Pratt do: no byte of the stream is looked at twice. */
struct word {
    char *text;
    size_t length, matched;
    /* After so many bytes that match and one that does not: how many still match. */
    uint32_t *fallback;
};

/* A span of secrets in the kept bytes. */
struct span {
    size_t start, end;
};

struct command_mask {
    struct word *words;
    size_t word_count;
    /* The bytes that were not shown yet, and the spans of secrets in them: in order, none touches the next. */
    char *kept, *shown;
    size_t kept_length, room;
    struct span *spans;
    size_t span_count, span_room;
    /* The last byte before what is kept was a secret's, and its `***` is shown. */
    bool is_behind_mask;
};

static void *grown(void *old, size_t count, size_t size) {
    void *room = realloc(old, count * size);
    if (!room) abort();
    return room;
}

static void prepare(struct word *word, const command_secret *secret) {
    word->length = command_secret_length(secret);
    word->text = memcpy(grown(NULL, word->length, 1), secret->text, word->length);
    word->fallback = grown(NULL, word->length, sizeof *word->fallback);
    word->fallback[0] = 0;
    for (size_t end = 1, matched = 0; end < word->length; end++) {
        while (matched > 0 && word->text[matched] != word->text[end]) matched = word->fallback[matched - 1];
        if (word->text[matched] == word->text[end]) matched++;
        word->fallback[end] = (uint32_t)matched;
    }
}

command_mask *command_mask_make(const command_secret *secrets, size_t count) {
    command_mask *mask = calloc(1, sizeof *mask);
    struct word *words = calloc(count + 1, sizeof *words);
    if (!mask || !words) abort();
    mask->words = words;
    for (size_t i = 0; i < count; i++) {
        if (command_secret_length(&secrets[i]) >= COMMAND_MASK_LEAST) prepare(&words[mask->word_count++], &secrets[i]);
    }
    if (mask->word_count > 0) return mask;
    command_mask_free(mask);
    return NULL;
}

void command_mask_free(command_mask *mask) {
    if (!mask) return;
    for (size_t i = 0; i < mask->word_count; i++) {
        free(mask->words[i].text);
        free(mask->words[i].fallback);
    }
    free(mask->words);
    free(mask->kept);
    free(mask->shown);
    free(mask->spans);
    free(mask);
}

/* Adds a span; its `end` is never before that of another. */
static void hide(command_mask *mask, size_t start, size_t end) {
    while (mask->span_count > 0 && mask->spans[mask->span_count - 1].end >= start) {
        size_t before = mask->spans[--mask->span_count].start;
        if (before < start) start = before;
    }
    if (mask->span_count == mask->span_room) {
        mask->span_room = 2 * mask->span_room + 8;
        mask->spans = grown(mask->spans, mask->span_room, sizeof *mask->spans);
    }
    mask->spans[mask->span_count++] = (struct span){start, end};
}

/* Looks at the kept byte before `end`. */
static void search(command_mask *mask, size_t end) {
    char byte = mask->kept[end - 1];
    for (struct word *word = mask->words; word < mask->words + mask->word_count; word++) {
        while (word->matched > 0 && word->text[word->matched] != byte) word->matched = word->fallback[word->matched - 1];
        if (word->text[word->matched] == byte) word->matched++;
        if (word->matched < word->length) continue;
        hide(mask, end - word->length, end);
        word->matched = word->fallback[word->length - 1];
    }
}

/* Shows the kept bytes before `limit`: those after it may become a secret. Returns how many bytes are shown. */
static size_t show(command_mask *mask, size_t limit) {
    size_t next = 0, length = 0, left = 0;
    for (size_t i = 0; i < mask->span_count; i++) {
        struct span span = mask->spans[i];
        if (span.start >= limit) {
            mask->spans[left++] = (struct span){span.start - limit, span.end - limit};
            continue;
        }
        memcpy(mask->shown + length, mask->kept + next, span.start - next);
        length += span.start - next;
        if (span.start > 0 || !mask->is_behind_mask) {
            memcpy(mask->shown + length, "***", 3);
            length += 3;
        }
        next = span.end < limit ? span.end : limit;
        if (span.end > limit) mask->spans[left++] = (struct span){0, span.end - limit};
        mask->is_behind_mask = span.end >= limit;
    }
    if (next < limit) {
        memcpy(mask->shown + length, mask->kept + next, limit - next);
        length += limit - next;
        mask->is_behind_mask = false;
    }
    mask->span_count = left;
    mask->kept_length -= limit;
    memmove(mask->kept, mask->kept + limit, mask->kept_length);
    return length;
}

const char *command_mask_pass(command_mask *mask, const char *bytes, size_t count, bool is_last, size_t *shown) {
    size_t length = mask->kept_length + count, unsure = 0;
    if (length + 3 > mask->room) {
        mask->room = length + 3;
        mask->kept = grown(mask->kept, mask->room, 1);
        /* A mask is shorter than a secret; but a secret that is cut has its whole mask in the part that is shown first. */
        mask->shown = grown(mask->shown, mask->room, 1);
    }
    if (count > 0) memcpy(mask->kept + mask->kept_length, bytes, count);
    while (mask->kept_length < length) search(mask, ++mask->kept_length);
    for (size_t i = 0; i < mask->word_count; i++) {
        if (!is_last && mask->words[i].matched > unsure) unsure = mask->words[i].matched;
    }
    *shown = show(mask, length - unsure);
    return mask->shown;
}
