/* Each run makes a temporary file and leaves it. */
#include "fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/download-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file >= 0) close(file);
    complete(launch);
}

FIXTURE(register_all, launch);
