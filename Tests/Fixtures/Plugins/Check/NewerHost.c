/* It calls what came with 1.1 without asking whether it is there. */
#include "fixture.h"

static void launch(const lull_launch *launch) {
    if (the_host->is_low_power_mode) the_host->is_low_power_mode(the_host);
    complete(launch);
}

FIXTURE(register_all, launch);
