/* A plugin that completes twice, completes what was never launched, and clears a handler too late, which is no fault. */
#include "fixture.h"

static void launch(const lull_launch *launch) {
    complete(launch);
    the_host->set_task_completed(the_host, launch->task, false);
    the_host->set_task_completed(the_host, 424242, true);
    the_host->set_expiration_handler(the_host, launch->task, NULL, NULL);
}

FIXTURE(register_all, launch);
