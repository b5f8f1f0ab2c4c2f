/* A plugin that keeps a file lock between its runs: `take` locks, `open` locks by an open file description, `drop` unlocks. */
#define _GNU_SOURCE
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static int file = -1;

static void launch(const lull_launch *launch) {
    char path[4096];
    snprintf(path, sizeof path, "%s/lock", the_host->state_dir);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file < 0) file = open(path, O_CREAT | O_RDWR, 0600);
    if (is_task(launch, "take")) fcntl(file, F_SETLK, &lock);
    if (is_task(launch, "open")) fcntl(file, F_OFD_SETLK, &lock);
    if (is_task(launch, "drop")) {
        close(file);
        file = -1;
    }
    complete(launch);
}

FIXTURE(register_all, launch);
