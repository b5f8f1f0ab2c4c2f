/* A plugin that refuses to start. */
#include "lull_plugin.h"

static int32_t start(const lull_host *host) {
    host->log(host, LULL_ERROR, "something is missing");
    return 1;
}

static void launch(const lull_launch *launch) { (void)launch; }

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
