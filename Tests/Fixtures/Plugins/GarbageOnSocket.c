/* A plugin that writes to the worker's socket: garbage, nothing at all, or a forged frame. */
#include "fixture.h"

#include <sys/socket.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    if (is_task(launch, "garbage")) send(3, "hello, host", 11, 0);
    if (is_task(launch, "empty")) send(3, "", 0, 0);
    if (is_task(launch, "forged")) send(3, "\x49\x99\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0", 18, 0);
    for (;;) pause();
}

FIXTURE(register_all, launch);
