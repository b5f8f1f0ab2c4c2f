/* The declarations that the parts of Mirror share. */
#ifndef MIRROR_H
#define MIRROR_H

#include "lull_plugin.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { MESSAGE_BYTES = 8192, SESSION_BYTES = 256 };

/* One run of one task; its end frees it. */
struct run {
    struct run *next;
    lull_task task;
    lull_kind kind;
    atomic_bool expired;
    char failure[MESSAGE_BYTES]; /* its first error */
    bool failed_last;            /* nothing was said after an error */
};

/* No other library in the worker is to meet these names. */
#pragma GCC visibility push(hidden)

extern const lull_host *host;

__attribute__((format(printf, 3, 4)))
void say(struct run *run, lull_level level, const char *format, ...);

/* The value at a JSON pointer, to be freed; NULL when nothing is there. */
char *setting(lull_task task, const char *pointer);

/* Whether a run has expired; a `should_stop`. */
bool has_expired(const void *run);

/* Puts finished downloads into their places; false: one of them failed. */
bool take_all(struct run *run);

/* Asks for each file of the settings that is not on its way; false: something can't be asked for. */
bool ask_for_all(struct run *run);

/* A transfer of the session, as it was visited; all texts are its own. */
struct transfer {
    struct transfer *next;
    uint64_t number;
    lull_transfer_phase phase;
    bool was_taking;
    int64_t status;
    char *label, *url, *file, *sentence, *etag, *modified;
};

/* Those of the session in the order of their numbers, and an ordinal for the next; 0: the host did not answer. */
uint64_t visit_all(struct transfer **list);
void free_all(struct transfer *list);

/* The purpose of a download, as its label has it. */
struct purpose {
    unsigned keep;
    char sha256[65]; /* empty: any */
    const char *to;  /* in the label */
};
bool read_purpose(const char *label, struct purpose *purpose);

/* The server's data about the version at `to`, with which only a newer one is requested. */
struct version {
    char url[4096], etag[1024], modified[128];
};
bool read_version(const char *to, struct version *version);
void write_version(const char *to, const struct transfer *transfer);

#pragma GCC visibility pop

#endif
