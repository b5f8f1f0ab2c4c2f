/* An entry whose size ends before its functions. */
#include "lull_plugin.h"

const lull_plugin lull_plugin_entry = {.size = 8, .abi_major = LULL_ABI_MAJOR, .abi_minor = 0};
