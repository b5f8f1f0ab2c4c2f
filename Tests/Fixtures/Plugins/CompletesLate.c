/* A plugin that completes on another thread after its expiration handler has returned. */
#include "fixture.h"

#include <pthread.h>

static void *finish(void *task) {
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void expired(void *context, lull_task task) {
    (void)context;
    pthread_t thread;
    if (pthread_create(&thread, NULL, finish, (void *)(uintptr_t)task) == 0) pthread_detach(thread);
}

static void launch(const lull_launch *launch) {
    the_host->set_expiration_handler(the_host, launch->task, NULL, expired);
}

FIXTURE(register_all, launch);
