/* A plugin whose forked children act as if they were the worker, and one that ends the thread that calls it. */
#define _GNU_SOURCE
#include "fixture.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child completes the run as failed; the parent then completes it as succeeded. */
static void child_completes(lull_task task) {
    pid_t child = fork();
    if (child == 0) {
        the_host->log_task(the_host, task, LULL_INFO, "the child's line");
        the_host->set_task_completed(the_host, task, false);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    the_host->set_task_completed(the_host, task, true);
}

/* The child returns from `launch`; the parent waits for it, so that both live at once. */
static void child_returns(lull_task task) {
    pid_t child = fork();
    if (child == 0) return;
    int status = 0;
    waitpid(child, &status, 0);
    the_host->set_task_completed(the_host, task, WIFEXITED(status));
}

static void launch(const lull_launch *launch) {
    if (is_task(launch, "completes")) return child_completes(launch->task);
    if (is_task(launch, "returns")) return child_returns(launch->task);
    complete(launch);
    if (is_task(launch, "exits")) pthread_exit(NULL);
}

FIXTURE(register_all, launch);
