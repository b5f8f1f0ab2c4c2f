/* A plugin whose launch function never returns. */
#include "fixture.h"

#include <unistd.h>

static void launch(const lull_launch *launch) {
    the_host->log_task(the_host, launch->task, LULL_INFO, "hanging");
    for (;;) pause();
}

FIXTURE(register_all, launch);
