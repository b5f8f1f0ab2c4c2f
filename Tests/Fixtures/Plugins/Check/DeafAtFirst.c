/* It ignores an expiration in the first milliseconds of a run, and the run then never ends. */
#include "run.h"

static void expired(void *context, lull_task task) {
    struct run *run = context;
    (void)task;
    if (atomic_load(&run->milliseconds) < 5) {
        atomic_store(&run->milliseconds, -1000000);
        return;
    }
    run_expired(context, task);
}

static void launch(const lull_launch *launch) {
    struct run *run = new_run(launch);
    the_host->set_expiration_handler(the_host, launch->task, run, expired);
    begin(run, work_and_complete);
}

FIXTURE(register_all, launch);
