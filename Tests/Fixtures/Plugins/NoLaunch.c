/* An entry without a launch function. */
#include "lull_plugin.h"

static int32_t start(const lull_host *host) { return host ? 0 : 1; }

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin), .abi_major = LULL_ABI_MAJOR, .abi_minor = LULL_ABI_MINOR, .sdk = "c", .start = start};
