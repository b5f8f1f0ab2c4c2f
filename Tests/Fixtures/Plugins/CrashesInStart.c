/* A plugin that crashes before it is ready. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>

static int32_t start(const lull_host *host) {
    the_host = host;
    fputs("looking for the feed\nthe feed is missing\n", stderr);
    return raise(SIGSEGV);
}
static void launch(const lull_launch *launch) { complete(launch); }

FIXTURE(start, launch);
