/* It works in `start`, for which everybody waits. */
#include "fixture.h"

#include <unistd.h>

static int32_t start(const lull_host *host) {
    usleep(1200000);
    return register_all(host);
}

FIXTURE(start, complete);
