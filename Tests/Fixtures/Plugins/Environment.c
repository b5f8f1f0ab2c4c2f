/* Prints its environment, one variable a line. */
#include "fixture.h"

#include <unistd.h>

extern char **environ;

static void launch(const lull_launch *launch) {
    for (char **variable = environ; *variable; variable++) puts(*variable);
    complete(launch);
}

FIXTURE(register_all, launch);
