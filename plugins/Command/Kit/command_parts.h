/* The parts of command_loop.c and command_run.c. */
#ifndef COMMAND_PARTS_H
#define COMMAND_PARTS_H

#include "command_inbox.h"
#include "command_loop.h"
#include "command_mask.h"
#include "command_secrets.h"

#include <stdint.h>
#include <sys/types.h>

/* Of one stream before the next has its turn. */
enum { PIECE = 64 << 10 };
/* Between two looks at what the kernel tells nothing of. */
enum { LOOK_NS = 20000000 };

struct run;

/* What the kernel tells about: a pipe or a process. */
struct source {
    enum source_kind { PIPE, LEADER, FOLLOWER, BELL } kind;
    /* -1: closed. */
    int descriptor;
    command_stream stream;
    /* Hides the secrets of its run; null: there are none. */
    command_mask *mask;
    /* Null: a pipe whose command has ended. */
    struct run *run;
    struct source *next;
};

struct run {
    struct run *next, *previous;
    uint64_t task;
    command_process process;
    struct source leader, output, error;
    /* Processes of the group that outlive their leader, while they have the grace. */
    struct source *followers;
    command_credentials *credentials;
    command_outcome outcome;
    bool is_success[256];
    int64_t grace_ns;
    bool has_ended, was_killed, leaves_running;
    /* When it is killed, or looked at again; 0: never. */
    int64_t deadline, look;
};

struct command_loop {
    const command_listener *listener;
    char *const *base;
    const command_app_settings *app;
    const char *state;
    command_inbox inbox;
    int poll;
    struct source bell;
    struct run *runs;
    /* Pipes that others hold when their command has ended. */
    struct source *late;
    /* What was closed while events are handled: one of them may still name it. */
    struct run *ended_runs;
    struct source *ended_sources;
    /* When late pipes without room are asked again; 0: never. */
    int64_t late_again;
    /* Not later than the first of all times that something is to be done at; 0: there is none. */
    int64_t alarm;
    bool is_stopping;
    char buffer[PIECE];
};

/* Of command_loop.c. */
int64_t command_now(void);
void command_set_alarm(command_loop *loop, int64_t time);
int command_watch(command_loop *loop, struct source *source);
void command_close(command_loop *loop, struct source *source);
/* Closes it, and frees it when no event can name it any more. */
void command_retire(command_loop *loop, struct source *source);
void command_unlink(struct source **list, const struct source *source);
/* Reads once and hands it on: the bytes, 0 at the end, -1 when there is nothing now. */
ssize_t command_read_once(command_loop *loop, struct source *pipe);
/* All that a pipe can hold, and no more: who has left the group may print for ever. Whoever holds it still is heard on. */
void command_empty(command_loop *loop, struct source *pipe);

/* Of command_run.c. */
void command_begin(command_loop *loop, const command_wish *wish);
void command_expire(command_loop *loop, uint64_t task);
/* To all of its group. */
void command_signal(const struct run *run, int number);
void command_leader_ended(command_loop *loop, struct run *run);
void command_follower_ended(command_loop *loop, struct source *follower);
/* What is due of this run, and when it has to be asked again. */
void command_ring(command_loop *loop, struct run *run, int64_t now);
void command_forget_followers(command_loop *loop, struct run *run);

#endif
