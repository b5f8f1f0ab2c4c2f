/* A plugin that keeps the contract, with runs that last long enough to be disturbed. */
#include "run.h"

static void launch(const lull_launch *launch) {
    struct run *run = new_run(launch);
    the_host->set_expiration_handler(the_host, launch->task, run, run_expired);
    begin(run, work_and_complete);
}

FIXTURE(register_all, launch);
