/* A plugin that gets SIGCONT when it goes on after a stop; a thread of it then completes its first run again. */
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t woken;

static void wake(int signal) {
    (void)signal;
    sem_post(&woken);
}

static void *watch(void *context) {
    for (;;) {
        while (sem_wait(&woken) != 0 && errno == EINTR) continue;
        the_host->set_task_completed(the_host, 1, true);
    }
    return context;
}

static int32_t start(const lull_host *host) {
    const struct sigaction action = {.sa_handler = wake, .sa_flags = SA_RESTART};
    pthread_t thread;
    int32_t status = register_all(host);
    sem_init(&woken, 0, 0);
    sigaction(SIGCONT, &action, NULL);
    pthread_create(&thread, NULL, watch, NULL);
    return status;
}

static void launch(const lull_launch *launch) { complete(launch); }

FIXTURE(start, launch);
