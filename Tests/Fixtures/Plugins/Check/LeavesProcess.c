/* Each run starts a process and does not wait for it. */
#include "fixture.h"

#include <unistd.h>

static void launch(const lull_launch *launch) {
    if (fork() == 0) {
        for (;;) pause();
    }
    complete(launch);
}

FIXTURE(register_all, launch);
