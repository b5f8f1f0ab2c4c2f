/* It registers a task that is not permitted. */
#include "fixture.h"

static int32_t start(const lull_host *host) {
    register_all(host);
    host->register_task(host, "org.example.checked.forgotten");
    return 0;
}

FIXTURE(start, complete);
