/* A plugin that prints, and crashes. */
#include "fixture.h"

#include <signal.h>

static void launch(const lull_launch *launch) {
    printf("about to crash in %s\n", launch->identifier);
    raise(SIGABRT);
    complete(launch);
}

FIXTURE(register_all, launch);
