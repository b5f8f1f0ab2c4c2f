/* An older, smaller entry: it ends before `run`, and nothing after it may be called. */
#include "fixture.h"

static void launch(const lull_launch *launch) { complete(launch); }

const lull_plugin lull_plugin_entry = {
    .size = offsetof(lull_plugin, run), .abi_major = LULL_ABI_MAJOR, .abi_minor = 0, .sdk = "c", .start = register_all,
    .launch = launch, .run = (void (*)(void))1};
