/* A plugin that logs which build it is: the same source is compiled with different VERSIONs. */
#include "lull_plugin.h"

#ifndef VERSION
#define VERSION "none"
#endif

static const lull_host *the_host;

static int32_t start(const lull_host *host) {
    the_host = host;
    return host->register_task(host, "com.example.App.say") ? 0 : 1;
}

static void launch(const lull_launch *launch) {
    the_host->log_task(the_host, launch->task, LULL_INFO, "this is build " VERSION);
    the_host->set_task_completed(the_host, launch->task, true);
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
