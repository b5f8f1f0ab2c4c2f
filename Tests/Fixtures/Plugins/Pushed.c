/*
 * Receives pushes, and does the act in the payload's text:
 *
 *   fail      the run fails
 *   crash     the process dies
 *   linger    it waits for its expiration
 *   quiet     an urgent push is left unreported
 *
 * It logs the payload, how many pushes it stands for and whether it is urgent. OLDER: as a plugin of 1.1 would be.
 */
#include "fixture.h"

#include <stdlib.h>

#ifndef OLDER
static void expired(void *context, lull_task task) {
    (void)context;
    the_host->set_task_completed(the_host, task, false);
}

static void launch(const lull_launch *launch) {
    char line[1024];
    if (launch->kind != LULL_KIND_PUSH || !LULL_HAS(lull_launch, launch, is_urgent) || !launch->payload) {
        the_host->log_task(the_host, launch->task, LULL_INFO, "no push");
        complete(launch);
        return;
    }
    snprintf(line, sizeof line, "%s push %.900s of %llu bytes for %u earlier", launch->is_urgent ? "urgent" : "silent",
             launch->payload, (unsigned long long)launch->payload_size, launch->merged);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
    if (strstr(launch->payload, "crash")) abort();
    if (strstr(launch->payload, "linger")) {
        the_host->set_expiration_handler(the_host, launch->task, NULL, expired);
        return;
    }
    if (launch->is_urgent && !strstr(launch->payload, "quiet") && LULL_HAS(lull_host, the_host, report_push)
        && the_host->report_push) {
        the_host->report_push(the_host, launch->task, "somebody calls");
    }
    the_host->set_task_completed(the_host, launch->task, strstr(launch->payload, "fail") == NULL);
}
#else
static void launch(const lull_launch *launch) { complete(launch); }
#endif

#ifdef OLDER
const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin), .abi_major = 1, .abi_minor = 1, .sdk = "c", .start = register_all, .launch = launch,
};
#else
FIXTURE(register_all, launch);
#endif
