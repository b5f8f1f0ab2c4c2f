/* A plugin that may open the host's history, and keeps it locked with a lock for reading: `hold` does not complete. */
#define _GNU_SOURCE
#include "fixture.h"

#include <fcntl.h>

static void launch(const lull_launch *launch) {
    char path[4096];
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 1};
    if (!is_task(launch, "hold")) {
        complete(launch);
        return;
    }
    snprintf(path, sizeof path, "%s/../../history.sqlite-shm", the_host->state_dir);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fcntl(file, F_SETLK, &lock) != 0) the_host->set_task_completed(the_host, launch->task, false);
}

FIXTURE(register_all, launch);
