/* It calls a function of 1.1 without checking that the host has it. */
#include "fixture.h"

static void launch(const lull_launch *launch) {
    if (the_host->is_low_power_mode) the_host->is_low_power_mode(the_host);
    complete(launch);
}

FIXTURE(register_all, launch);
