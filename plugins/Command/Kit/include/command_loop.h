#ifndef COMMAND_LOOP_H
#define COMMAND_LOOP_H

#include "command_process.h"

#include <stddef.h>
#include <stdint.h>

/* Runs commands, all of them on one thread, from their start to their end.
 *
 * The kernel tells when one has printed something and when one has ended (pipes and pidfds in one epoll), so waiting costs
 * nothing, and a thousand commands need no more threads than one.
 *
 * The group ends with its leader: processes that a command leaves behind are killed, unless its cause lets them run on. A task
 * that expires sends SIGTERM to the whole group, and SIGKILL to those that are left after the grace. Processes that have left
 * the group are ended by the host, with the worker of the run.
 *
 * Bytes that are in its pipes when the command has ended are the command's. Later bytes come from a process that has left the
 * group, and are passed on: the run does not wait for that process, and no SIGPIPE ends it. The run's secrets are hidden in
 * all of it.
 */
typedef struct command_loop command_loop;

typedef enum command_stream { COMMAND_OUTPUT = 1, COMMAND_ERROR = 2 } command_stream;

/* All called on the loop's thread. */
typedef struct command_listener {
    void *context;
    /* In the order in which a stream was written, and before the end. */
    void (*printed)(void *context, uint64_t task, command_stream stream, const void *bytes, size_t count);
    /* Once for each command that was begun. */
    void (*ended)(void *context, uint64_t task, const command_outcome *outcome, const char *message);
    /* The output that comes after its command has ended, in small pieces, and whether there is room for a piece now. */
    bool (*takes_late)(void *context, command_stream stream);
    void (*late)(void *context, command_stream stream, const void *bytes, size_t count);
} command_listener;

/* `base`: the beginning of every command's environment. `state`: the folders of secrets are made below it; those of workers
   that were killed are removed. All live as long as the loop. Null with `errno`. */
command_loop *command_loop_make(
    const command_listener *listener, char *const *base, const command_app_settings *app, const char *state);

/* Any thread may call these; the loop carries them out soon, in this order. A command that expires before it was started is
   not started. */
void command_loop_begin(command_loop *loop, uint64_t task, const char *settings);
/* `cause`: the cause of the run, for its environment and its standard input; it is copied. */
void command_loop_begin_for(command_loop *loop, uint64_t task, const char *settings, const command_cause *cause);
void command_loop_expire(command_loop *loop, uint64_t task);
void command_loop_stop(command_loop *loop);

/* Runs until it is stopped. Freeing the loop kills the commands that still run. */
void command_loop_run(command_loop *loop);
void command_loop_free(command_loop *loop);

#endif
