/* A plugin that refuses to start, and says why. */
#include "fixture.h"

static int32_t start(const lull_host *host) {
    host->log(host, LULL_ERROR, "the feed is missing");
    return 5;
}
static void launch(const lull_launch *launch) { (void)launch; }

FIXTURE(start, launch);
