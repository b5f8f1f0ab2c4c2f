/* Runs of 150 ms on a thread each, which check every millisecond whether they have expired. */
#ifndef RUN_H
#define RUN_H

#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { RUN_MS = 150 };

struct run {
    lull_task task;
    atomic_bool has_expired;
    atomic_int milliseconds;
};

/* More than any check launches in a worker; never freed, so that a late handler finds its own. */
static struct run runs[256];
static atomic_uint run_count;

static inline void run_expired(void *context, lull_task task) {
    (void)task;
    atomic_store(&((struct run *)context)->has_expired, true);
}

static inline struct run *new_run(const lull_launch *launch) {
    struct run *run = &runs[atomic_fetch_add(&run_count, 1) % 256];
    run->task = launch->task;
    atomic_store(&run->has_expired, false);
    atomic_store(&run->milliseconds, 0);
    return run;
}

/* True unless the run has expired. */
static inline bool work(struct run *run) {
    while (atomic_load(&run->milliseconds) < RUN_MS && !atomic_load(&run->has_expired)) {
        usleep(1000);
        atomic_fetch_add(&run->milliseconds, 1);
    }
    return !atomic_load(&run->has_expired);
}

static inline void begin(struct run *run, void *(*body)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, run) == 0) pthread_detach(thread);
}

/* Works, and then completes the run. */
static inline void *work_and_complete(void *context) {
    struct run *run = context;
    the_host->set_task_completed(the_host, run->task, work(run));
    return NULL;
}

#endif
