/* It starts only as a user other than root who may write to its folder. */
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static int32_t start(const lull_host *host) {
    char path[4096];
    snprintf(path, sizeof path, "%s/mine", host->state_dir);
    if (getuid() == 0 || getuid() != geteuid()) return 9;
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) return 8;
    close(file);
    return register_all(host);
}

FIXTURE(start, complete);
