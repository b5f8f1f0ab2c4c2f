/* It registers only the first of its permitted tasks. */
#include "fixture.h"

static int32_t start(const lull_host *host) {
    the_host = host;
    host->register_task(host, "org.example.checked.now");
    return 0;
}

FIXTURE(start, complete);
