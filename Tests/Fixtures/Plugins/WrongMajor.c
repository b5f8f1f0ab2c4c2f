/* A plugin of a future interface. */
#include "lull_plugin.h"

static int32_t start(const lull_host *host) { return host ? 0 : 1; }
static void launch(const lull_launch *launch) { (void)launch; }

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin), .abi_major = 2, .abi_minor = 7, .sdk = "c", .start = start, .launch = launch};
