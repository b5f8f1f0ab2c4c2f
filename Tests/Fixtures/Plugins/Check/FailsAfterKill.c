/* It marks its state as busy, and believes the mark when its own process was killed. */
#include "run.h"

#include <fcntl.h>

static char mark[4096];

static void *body(void *context) {
    struct run *run = context;
    bool succeeded = work(run);
    unlink(mark);
    the_host->set_task_completed(the_host, run->task, succeeded);
    return NULL;
}

static void launch(const lull_launch *launch) {
    struct run *run = new_run(launch);
    snprintf(mark, sizeof mark, "%s/busy", the_host->state_dir);
    int file = open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0) {
        the_host->set_task_completed(the_host, launch->task, false);
        return;
    }
    close(file);
    the_host->set_expiration_handler(the_host, launch->task, run, run_expired);
    begin(run, body);
}

FIXTURE(register_all, launch);
