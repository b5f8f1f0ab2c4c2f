/* The transfers, their purposes, and the data about the versions that are here. */
#define _GNU_SOURCE
#include "mirror.h"
#include "mirror_digest.h"
#include "mirror_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct visit {
    struct transfer *first, **end;
    bool is_short; /* of memory */
};

static char *copy_of(const char *text, bool *is_short)
{
    char *copy = text == NULL ? NULL : strdup(text);
    *is_short = *is_short || (text != NULL && copy == NULL);
    return copy;
}

static const char *header(const lull_transfer_state *state, const char *name)
{
    for (size_t i = 0; i < state->header_count; i++)
        if (strcasecmp(state->headers[i].name, name) == 0)
            return state->headers[i].value;
    return NULL;
}

static void note(void *context, const lull_transfer_state *state)
{
    struct visit *visit = context;
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) {
        visit->is_short = true;
        return;
    }
    transfer->number = state->transfer;
    transfer->phase = state->phase;
    transfer->was_taking = state->was_taking;
    transfer->status = state->status;
    transfer->label = copy_of(state->order->label, &visit->is_short);
    transfer->url = copy_of(state->order->url, &visit->is_short);
    transfer->file = copy_of(state->file, &visit->is_short);
    transfer->sentence = copy_of(state->sentence, &visit->is_short);
    transfer->etag = copy_of(header(state, "ETag"), &visit->is_short);
    transfer->modified = copy_of(header(state, "Last-Modified"), &visit->is_short);
    *visit->end = transfer;
    visit->end = &transfer->next;
}

void free_all(struct transfer *list)
{
    while (list != NULL) {
        struct transfer *next = list->next;
        free(list->label);
        free(list->url);
        free(list->file);
        free(list->sentence);
        free(list->etag);
        free(list->modified);
        free(list);
        list = next;
    }
}

uint64_t visit_all(struct transfer **list)
{
    struct visit visit = {.first = NULL};
    visit.end = &visit.first;
    uint64_t next = host->transfers(host, NULL, &visit, note);
    if (next == 0 || visit.is_short) {
        free_all(visit.first);
        visit.first = NULL;
        next = 0;
    }
    *list = visit.first;
    return next;
}

bool read_purpose(const char *label, struct purpose *purpose)
{
    int used = 0;
    if (label == NULL || sscanf(label, "%u %64s %n", &purpose->keep, purpose->sha256, &used) < 2 || used == 0
        || label[used] != '/' || purpose->keep > 100)
        return false;
    if (strcmp(purpose->sha256, "-") == 0)
        purpose->sha256[0] = '\0';
    purpose->to = label + used;
    return true;
}

/* A file of the app's own for each path, named by its digest. */
static void version_path(const char *to, char path[PATH_BYTES])
{
    digest digest;
    char name[DIGEST_TEXT];
    digest_begin(&digest);
    digest_add(&digest, to, strlen(to));
    digest_end(&digest, name);
    snprintf(path, PATH_BYTES, "%s/%.32s.version", host->state_dir, name);
}

/* The next line, without its end; it is cut to fit. */
static const char *take_line(const char *text, char *line, size_t capacity)
{
    size_t length = strcspn(text, "\n");
    snprintf(line, capacity, "%.*s", (int)length, text);
    return text[length] == '\n' ? text + length + 1 : text + length;
}

bool read_version(const char *to, struct version *version)
{
    char path[PATH_BYTES], text[sizeof *version + 8];
    version_path(to, path);
    if (!file_read(path, text, sizeof text))
        return false;
    const char *rest = take_line(text, version->url, sizeof version->url);
    rest = take_line(rest, version->etag, sizeof version->etag);
    take_line(rest, version->modified, sizeof version->modified);
    return true;
}

void write_version(const char *to, const struct transfer *transfer)
{
    char path[PATH_BYTES], text[sizeof(struct version) + 8];
    version_path(to, path);
    const char *etag = transfer->etag != NULL ? transfer->etag : "";
    const char *modified = transfer->modified != NULL ? transfer->modified : "";
    /* Data that does not fit, or has line breaks, is not kept: the file is downloaded again. */
    struct version version;
    bool fits = strlen(transfer->url) < sizeof version.url && strlen(etag) < sizeof version.etag
                && strlen(modified) < sizeof version.modified && strpbrk(etag, "\r\n") == NULL
                && strpbrk(modified, "\r\n") == NULL;
    snprintf(text, sizeof text, "%s\n%s\n%s\n", fits ? transfer->url : "", fits ? etag : "",
             fits ? modified : "");
    file_write(path, text);
}
