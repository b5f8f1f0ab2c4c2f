/* The parts of command_loop.c and command_run.c. */
#ifndef COMMAND_PARTS_H
#define COMMAND_PARTS_H

#include "command_inbox.h"
#include "command_loop.h"
#include "command_mask.h"
#include "command_secrets.h"

#include <stdint.h>
#include <sys/types.h>

/* How much is read of one stream before the next has its turn. */
enum { PIECE = 64 << 10 };
/* The pause between two looks at what the kernel sends no event for. */
enum { LOOK_NS = 20000000 };

struct run;

/* A source of events of the kernel: a pipe, a process, or the bell of the inbox. */
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
    /* Pipes that other processes hold when their command has ended. */
    struct source *late;
    /* Runs and sources that were closed while events are handled: an event may still name them. */
    struct run *ended_runs;
    struct source *ended_sources;
    /* When late pipes without room are asked again; 0: never. */
    int64_t late_again;
    /* At or before the first time at which something is due; 0: nothing is. */
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
/* Reads what a pipe can hold and no more: a process that has left the group may print for ever. It is read on as a late pipe. */
void command_empty(command_loop *loop, struct source *pipe);

/* Of command_run.c. */
void command_begin(command_loop *loop, const command_wish *wish);
void command_expire(command_loop *loop, uint64_t task);
/* Signals all of its group. */
void command_signal(const struct run *run, int number);
void command_leader_ended(command_loop *loop, struct run *run);
void command_follower_ended(command_loop *loop, struct source *follower);
/* Does what is due of this run, and sets the alarm for the next. */
void command_ring(command_loop *loop, struct run *run, int64_t now);
void command_forget_followers(command_loop *loop, struct run *run);

#endif
