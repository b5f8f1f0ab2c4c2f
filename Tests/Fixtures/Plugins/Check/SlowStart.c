/* It works in `start`, and everybody waits for that. */
#include "fixture.h"

#include <unistd.h>

static int32_t start(const lull_host *host) {
    usleep(1200000);
    return register_all(host);
}

FIXTURE(start, complete);
