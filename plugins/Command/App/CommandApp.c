/*
 * Command: runs command lines as tasks. Every task that jobs.yaml permits to this app is one command.
 *
 * A model for plugins that start programs: it needs lull_plugin.h and libc, nothing else. Commands are started, read and
 * waited for on the main thread, in one epoll; the control thread only puts requests into an inbox. Each run has a worker
 * of its own (LULL_PLUGIN_RUNS_ALONE), so that a command's resources and leftovers are its own; an older host runs many in
 * one. RepoRefresh is the model for one thing at a time.
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include "command_loop.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static const lull_host *host;
static command_loop *loop;

static void say(lull_task task, lull_level level, const char *message) { host->log_task(host, task, level, message); }

/* To the process's own streams, which are kept with every run that is open. */
static void print(command_stream stream, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(stream == COMMAND_OUTPUT ? STDOUT_FILENO : STDERR_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

static void printed(void *context, uint64_t task, command_stream stream, const void *bytes, size_t count) {
    (void)context;
    if (LULL_HAS(lull_host, host, print_task) && host->print_task) {
        lull_stream where = stream == COMMAND_OUTPUT ? LULL_STREAM_OUTPUT : LULL_STREAM_ERROR;
        host->print_task(host, task, where, bytes, count);
    } else {
        print(stream, bytes, count);
    }
}

static void ended(void *context, uint64_t task, const command_outcome *outcome, const char *message) {
    (void)context;
    if (outcome->fault == COMMAND_STARTED && LULL_HAS(lull_host, host, report_exit) && host->report_exit)
        host->report_exit(host, task, (uint32_t)(outcome->has_exited ? outcome->status : 128 + outcome->status));
    say(task, outcome->is_success ? LULL_INFO : LULL_ERROR, message);
    if (outcome->is_urgent && LULL_HAS(lull_host, host, report_push) && host->report_push)
        host->report_push(host, task, message);
    host->set_task_completed(host, task, outcome->is_success);
}

static bool takes_late(void *context, command_stream stream) {
    (void)context;
    struct pollfd own = {.fd = stream == COMMAND_OUTPUT ? STDOUT_FILENO : STDERR_FILENO, .events = POLLOUT};
    return poll(&own, 1, 0) > 0;
}

static void late(void *context, command_stream stream, const void *bytes, size_t count) {
    (void)context;
    print(stream, bytes, count);
}

static const command_listener listener = {.printed = printed, .ended = ended, .takes_late = takes_late, .late = late};

/* Called on the control thread. */
static void expire(void *context, lull_task task) {
    (void)context;
    command_loop_expire(loop, task);
}

/* A list in the settings as JSON; NULL: there is none. Looked up item by item, a long list would be read once for each. */
static char *list(const char *pointer) {
    int64_t length = host->setting(host, 0, pointer, NULL, 0);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) host->setting(host, 0, pointer, text, (size_t)length + 1);
    return text;
}

/* The next identifier of a list, which has no escapes; NULL: there is none. */
static char *next_name(char **rest) {
    char *name = *rest ? strchr(*rest, '"') : NULL, *end = name ? strchr(name + 1, '"') : NULL;
    if (!end) return NULL;
    *end = 0;
    *rest = end + 1;
    return name + 1;
}

static int32_t start(const lull_host *own_host) {
    host = own_host;
    char *permitted = list("/lull/permitted"), *rest = permitted, *name;
    while ((name = next_name(&rest))) host->register_task(host, name);
    free(permitted);
    loop = command_loop_make(
        &listener, command_base_environment(environ, true), command_app_settings_read(host->settings), host->state_dir);
    if (loop) return 0;
    host->log(host, LULL_ERROR, "Command can't watch anything: no descriptors are left to it.");
    return 1;
}

/* Whether jobs.yaml says `leaves: running`, which the host tells with the app's settings. */
static bool leaves_running(const char *identifier) {
    char *leaving = list("/lull/leaves_running"), *rest = leaving, *name;
    while ((name = next_name(&rest)) && strcmp(name, identifier) != 0) {}
    free(leaving);
    return name != NULL;
}

static void launch(const lull_launch *launch) {
    host->set_expiration_handler(host, launch->task, NULL, expire);
    command_cause cause = {.origin = LULL_HAS(lull_launch, launch, origin) ? launch->origin : NULL};
    if (LULL_HAS(lull_launch, launch, is_urgent)) {
        cause.payload = launch->payload;
        cause.payload_length = launch->payload_size;
        cause.merged = launch->merged;
        cause.is_urgent = launch->is_urgent;
    }
    cause.leaves_running = leaves_running(launch->identifier);
    command_loop_begin_for(loop, launch->task, launch->settings, &cause);
}

static void run(void) { command_loop_run(loop); }

LULL_EXPORT const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
    .run = run,
    .flags = LULL_PLUGIN_RUNS_ALONE,
};
