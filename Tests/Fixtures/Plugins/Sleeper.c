/* A plugin whose own thread notices when it was stopped, and completes each run once more then. */
#include "fixture.h"

#include <pthread.h>
#include <time.h>

static void *watch(void *context) {
    const struct timespec moment = {0, 10000000};
    int64_t last = the_host->now(the_host);
    for (;;) {
        nanosleep(&moment, NULL);
        int64_t now = the_host->now(the_host);
        if (now - last > 100000000) {
            the_host->log(the_host, LULL_INFO, "slept");
            the_host->set_task_completed(the_host, 1, true);
        }
        last = now;
    }
    return context;
}

static int32_t start(const lull_host *host) {
    pthread_t thread;
    int32_t status = register_all(host);
    pthread_create(&thread, NULL, watch, NULL);
    return status;
}

static void launch(const lull_launch *launch) { complete(launch); }

FIXTURE(start, launch);
