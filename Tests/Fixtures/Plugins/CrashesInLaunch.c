/* A plugin that prints, and crashes. */
#include "fixture.h"

#include <signal.h>
#include <string.h>

static void launch(const lull_launch *launch) {
    printf("about to crash in %s\n", launch->identifier);
    if (strstr(launch->identifier, ".halfway")) printf("half of a line");
    raise(SIGABRT);
    complete(launch);
}

FIXTURE(register_all, launch);
