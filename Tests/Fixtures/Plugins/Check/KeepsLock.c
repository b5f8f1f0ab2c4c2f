/* It keeps a file lock between its runs, so a stopped process would block everybody else. */
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    static int file = -1;
    char path[4096];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    snprintf(path, sizeof path, "%s/lock", the_host->state_dir);
    if (file < 0) file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    fcntl(file, F_SETLK, &lock);
    complete(launch);
}

FIXTURE(register_all, launch);
