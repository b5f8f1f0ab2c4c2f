/* A plugin whose `start` is an invalid address. */
#include "fixture.h"

static void launch(const lull_launch *launch) { (void)launch; }

FIXTURE((int32_t(*)(const lull_host *))16, launch);
