/* A plugin that closes the worker's socket: every descriptor at once, as a daemon does, or its sending side. */
#include "fixture.h"

#include <sys/socket.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    if (is_task(launch, "shut")) {
        shutdown(3, SHUT_WR);
        for (;;) pause();
    }
    for (int descriptor = 3; descriptor < 64; descriptor++) close(descriptor);
    complete(launch);
}

FIXTURE(register_all, launch);
