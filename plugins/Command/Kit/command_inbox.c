#define _GNU_SOURCE
#include "command_inbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int command_inbox_open(command_inbox *inbox) {
    *inbox = (command_inbox){.lock = PTHREAD_MUTEX_INITIALIZER, .bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    inbox->last = &inbox->first;
    return inbox->bell < 0 ? errno : 0;
}

void command_inbox_close(command_inbox *inbox) {
    for (command_wish *wish; (wish = command_inbox_take(inbox));) command_wish_free(wish);
    close(inbox->bell);
}

static char *copied(const char *text, size_t length) {
    if (!text) return NULL;
    char *copy = malloc(length + 1);
    if (!copy) abort();
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void command_inbox_put(
    command_inbox *inbox, command_wish_kind kind, uint64_t task, const char *settings,
    const command_cause *cause) {
    command_wish *wish = calloc(1, sizeof *wish);
    if (!wish) abort();
    *wish = (command_wish){.kind = kind, .task = task};
    if (settings && !(wish->settings = strdup(settings))) abort();
    if (cause) wish->cause = *cause;
    wish->cause.origin = copied(wish->cause.origin, wish->cause.origin ? strlen(wish->cause.origin) : 0);
    wish->cause.payload = copied(wish->cause.payload, wish->cause.payload_length);
    pthread_mutex_lock(&inbox->lock);
    bool was_empty = !inbox->first;
    if (kind == COMMAND_EXPIRE) {
        for (command_wish *each = inbox->first; each; each = each->next) {
            if (each->kind == COMMAND_BEGIN && each->task == task) each->is_expired = true;
        }
    }
    *inbox->last = wish;
    inbox->last = &wish->next;
    pthread_mutex_unlock(&inbox->lock);
    const uint64_t one = 1;
    /* The write fails only if the counter is at its limit. */
    if (was_empty && write(inbox->bell, &one, sizeof one) < 0) return;
}

command_wish *command_inbox_take(command_inbox *inbox) {
    pthread_mutex_lock(&inbox->lock);
    command_wish *wish = inbox->first;
    if (wish) {
        inbox->first = wish->next;
        if (!inbox->first) inbox->last = &inbox->first;
    }
    uint64_t rings;
    /* Under the lock: a caller that finds the inbox empty rings after this. */
    if (!inbox->first && read(inbox->bell, &rings, sizeof rings) < 0) errno = 0;
    pthread_mutex_unlock(&inbox->lock);
    return wish;
}

bool command_inbox_ends(command_inbox *inbox, uint64_t task) {
    bool ends = false;
    pthread_mutex_lock(&inbox->lock);
    for (const command_wish *each = inbox->first; each && !ends; each = each->next) {
        ends = each->kind == COMMAND_STOP || (each->kind == COMMAND_EXPIRE && each->task == task);
    }
    pthread_mutex_unlock(&inbox->lock);
    return ends;
}

void command_wish_free(command_wish *wish) {
    free(wish->settings);
    free((char *)wish->cause.origin);
    free((char *)wish->cause.payload);
    free(wish);
}
