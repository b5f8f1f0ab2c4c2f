/* Uses more and more of the resource that the launched task is named after, on a separate thread. */
#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *eat_memory(void *context) {
    (void)context;
    for (;;) {
        char *piece = malloc(8 << 20);
        if (!piece) break;
        memset(piece, 1, 8 << 20);
        usleep(1000);
    }
    the_host->log(the_host, LULL_INFO, "no more memory");
    pause();
    return NULL;
}

static void *eat_time(void *context) {
    for (volatile unsigned long count = 0;; count++) (void)context;
}

static void launch(const lull_launch *launch) {
    pthread_t thread;
    if (is_task(launch, "memory")) pthread_create(&thread, NULL, eat_memory, NULL);
    if (is_task(launch, "time")) pthread_create(&thread, NULL, eat_time, NULL);
    if (is_task(launch, "children")) {
        for (int i = 0; i < 40; i++) {
            if (fork() == 0) {
                pause();
                _exit(0);
            }
        }
    }
    the_host->log_task(the_host, launch->task, LULL_INFO, "eating");
}

FIXTURE(register_all, launch);
