#include "lull_plugin.h"

int32_t plugin_start(const lull_host *host);
void plugin_launch(const lull_launch *launch);

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "swift by hand",
    .start = plugin_start,
    .launch = plugin_launch,
};
