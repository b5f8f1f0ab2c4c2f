/*
 * A plugin that a person watches, and one that makes a mistake:
 *
 *   export.*   reports progress again and again, always a quarter, until it is stopped
 *   careless   submits com.example.App.forgotten, as an SDK reports it: the app ends
 */
#include "lull_plugin.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static const lull_host *the_host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_stopped;

/* A run whose progress does not change for long is ended. */
static void *move(void *context) {
    lull_task task = (lull_task)(uintptr_t)context;
    for (int64_t page = 30;; page = page == 3 ? 30 : 3) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        pthread_mutex_lock(&lock);
        bool is_over = is_stopped;
        if (!is_over) the_host->progress(the_host, task, page, 4 * page, NULL);
        pthread_mutex_unlock(&lock);
        if (is_over) return NULL;
    }
}

static void stopped(void *context, lull_task task) {
    (void)context;
    pthread_mutex_lock(&lock);
    is_stopped = true;
    pthread_mutex_unlock(&lock);
    the_host->log_task(the_host, task, LULL_INFO, "stopped by whoever watched");
    the_host->set_task_completed(the_host, task, false);
}

static int32_t start(const lull_host *host) {
    the_host = host;
    host->register_task(host, "com.example.App.export.*");
    host->register_task(host, "com.example.App.careless");
    return 0;
}

static void launch(const lull_launch *launch) {
    if (strstr(launch->identifier, ".careless"))
        the_host->report_fault(the_host, LULL_FAULT_NOT_REGISTERED, 0, "com.example.App.forgotten", "Feed.c:12", NULL);
    the_host->set_expiration_handler(the_host, launch->task, NULL, stopped);
    the_host->update_titles(the_host, launch->task, "Export", "page 3");
    the_host->progress(the_host, launch->task, 3, 12, NULL);
    the_host->log_task(the_host, launch->task, LULL_NOTICE, "on its way");
    pthread_t mover;
    if (pthread_create(&mover, NULL, move, (void *)(uintptr_t)launch->task) == 0) pthread_detach(mover);
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
