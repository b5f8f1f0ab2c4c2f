#ifndef COMMAND_INBOX_H
#define COMMAND_INBOX_H

#include "command_settings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The requests of other threads to the loop, in order. */
typedef enum command_wish_kind { COMMAND_BEGIN, COMMAND_EXPIRE, COMMAND_STOP } command_wish_kind;

typedef struct command_wish {
    struct command_wish *next;
    command_wish_kind kind;
    uint64_t task;
    char *settings;
    /* The cause of the run; its texts are the wish's own. */
    command_cause cause;
    /* A wish to begin whose task has expired since. */
    bool is_expired;
} command_wish;

typedef struct command_inbox {
    pthread_mutex_t lock;
    command_wish *first, **last;
    /* An eventfd: readable while there are wishes. */
    int bell;
} command_inbox;

/* 0, or an errno. */
int command_inbox_open(command_inbox *inbox);
void command_inbox_close(command_inbox *inbox);
void command_inbox_put(
    command_inbox *inbox, command_wish_kind kind, uint64_t task, const char *settings,
    const command_cause *cause);
/* The first; null: there is none, and the bell is silent. It is to be freed. */
command_wish *command_inbox_take(command_inbox *inbox);
/* Whether the task is to expire, or all is to stop. */
bool command_inbox_ends(command_inbox *inbox, uint64_t task);
void command_wish_free(command_wish *wish);

#endif
