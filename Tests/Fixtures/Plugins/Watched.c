/*
 * A plugin that a person watches, and one that makes a mistake:
 *
 *   export.*   reports its progress and waits to be stopped
 *   careless   submits com.example.App.forgotten, as an SDK reports it: the app ends
 */
#include "lull_plugin.h"

#include <stddef.h>
#include <string.h>

static const lull_host *the_host;

static void stopped(void *context, lull_task task) {
    (void)context;
    the_host->log_task(the_host, task, LULL_INFO, "stopped by whoever watched");
    the_host->set_task_completed(the_host, task, false);
}

static int32_t start(const lull_host *host) {
    the_host = host;
    host->register_task(host, "com.example.App.export.*");
    host->register_task(host, "com.example.App.careless");
    return 0;
}

static void launch(const lull_launch *launch) {
    if (strstr(launch->identifier, ".careless"))
        the_host->report_fault(the_host, LULL_FAULT_NOT_REGISTERED, 0, "com.example.App.forgotten", "Feed.c:12", NULL);
    the_host->set_expiration_handler(the_host, launch->task, NULL, stopped);
    the_host->update_titles(the_host, launch->task, "Export", "page 3");
    the_host->progress(the_host, launch->task, 3, 12, NULL);
    the_host->log_task(the_host, launch->task, LULL_NOTICE, "on its way");
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
