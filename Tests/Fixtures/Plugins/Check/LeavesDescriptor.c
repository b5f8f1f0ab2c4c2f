/* Each run opens a file and forgets to close it. */
#include "fixture.h"

#include <fcntl.h>

static void launch(const lull_launch *launch) {
    (void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
    complete(launch);
}

FIXTURE(register_all, launch);
