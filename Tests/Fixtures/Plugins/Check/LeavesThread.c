/* Each run leaves a thread that waits for nothing. */
#include "run.h"

static void *wait_for_ever(void *context) {
    (void)context;
    for (;;) pause();
}

static void launch(const lull_launch *launch) {
    struct run *run = new_run(launch);
    begin(run, wait_for_ever);
    complete(launch);
}

FIXTURE(register_all, launch);
