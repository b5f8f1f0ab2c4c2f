/* A plugin whose run goes on until there is a file `done` in the app's folder. */
#include "fixture.h"

#include <time.h>
#include <unistd.h>

static void *work(void *task) {
    char path[4096];
    const struct timespec moment = {0, 10000000};
    snprintf(path, sizeof path, "%s/done", the_host->state_dir);
    while (access(path, F_OK) != 0) nanosleep(&moment, NULL);
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void launch(const lull_launch *launch) { on_thread(work, launch->task); }

FIXTURE(register_all, launch);
