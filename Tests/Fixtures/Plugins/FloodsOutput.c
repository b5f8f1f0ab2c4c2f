/* A plugin that prints without end, until it is expired. */
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool is_over;

static void *flood(void *task) {
    while (!atomic_load(&is_over)) puts("all work and no play makes a dull log, and a long one");
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void expired(void *context, lull_task task) {
    (void)context, (void)task;
    atomic_store(&is_over, true);
}

static void launch(const lull_launch *launch) {
    if (is_task(launch, "now")) return complete(launch);
    pthread_t thread;
    the_host->set_expiration_handler(the_host, launch->task, NULL, expired);
    if (pthread_create(&thread, NULL, flood, (void *)(uintptr_t)launch->task) == 0) pthread_detach(thread);
}

FIXTURE(register_all, launch);
