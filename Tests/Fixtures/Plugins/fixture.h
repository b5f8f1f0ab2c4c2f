/* Shared by the fixtures: an entry made of `start` and `launch`, and the usual start. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "lull_plugin.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const lull_host *the_host;

// Older headers have no flags.
#ifdef FIXTURE_FLAGS
#define FIXTURE_MORE .flags = FIXTURE_FLAGS,
#else
#define FIXTURE_MORE
#endif

#define FIXTURE(start_function, launch_function)    \
    const lull_plugin lull_plugin_entry = {         \
        .size = sizeof(lull_plugin),                \
        .abi_major = LULL_ABI_MAJOR,                \
        .abi_minor = LULL_ABI_MINOR,                \
        .sdk = "c",                                 \
        .start = start_function,                    \
        .launch = launch_function,                  \
        FIXTURE_MORE                                \
    }

/* Registers all permitted tasks. */
static inline int32_t register_all(const lull_host *host) {
    char name[256], pointer[64];
    the_host = host;
    for (int i = 0;; i++) {
        snprintf(pointer, sizeof pointer, "/lull/permitted/%d", i);
        if (host->setting(host, 0, pointer, name, sizeof name) < 0) return 0;
        host->register_task(host, name);
    }
}

static inline int is_task(const lull_launch *launch, const char *label) {
    const char *dot = strrchr(launch->identifier, '.');
    return dot && strcmp(dot + 1, label) == 0;
}

/* For work that takes longer than `launch` may; `work` gets the task as a number. */
static inline void on_thread(void *(*work)(void *), lull_task task) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, (void *)(uintptr_t)task) == 0) pthread_detach(thread);
}

static inline void complete(const lull_launch *launch) {
    the_host->set_task_completed(the_host, launch->task, true);
}

#endif
