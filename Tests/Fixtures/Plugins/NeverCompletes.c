/* A plugin that hears its expiration and does nothing about it; and one task that has no handler for it. */
#include "fixture.h"

static void expired(void *context, lull_task task) {
    (void)context;
    the_host->log_task(the_host, task, LULL_INFO, "never mind");
}

static void launch(const lull_launch *launch) {
    if (is_task(launch, "deaf")) return;
    the_host->set_expiration_handler(the_host, launch->task, NULL, expired);
}

FIXTURE(register_all, launch);
