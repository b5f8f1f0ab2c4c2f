/* A plugin whose entry leads nowhere. */
#include "fixture.h"

static void launch(const lull_launch *launch) { (void)launch; }

FIXTURE((int32_t(*)(const lull_host *))16, launch);
