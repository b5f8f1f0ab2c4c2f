/* It works inside `launch`, and holds up all other launches. */
#include "fixture.h"

#include <unistd.h>

static void launch(const lull_launch *launch) {
    usleep(250000);
    complete(launch);
}

FIXTURE(register_all, launch);
