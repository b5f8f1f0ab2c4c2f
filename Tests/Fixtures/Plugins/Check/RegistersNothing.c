/* It forgets to register. */
#include "fixture.h"

static int32_t start(const lull_host *host) {
    the_host = host;
    return 0;
}

FIXTURE(start, complete);
