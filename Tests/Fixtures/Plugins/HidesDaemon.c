/* A plugin that starts a daemon in a separate session, without a mark of its app. */
#define _GNU_SOURCE
#include "fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    int answer[2], leash[2];
    char line[64];
    pid_t daemon = 0;
    /* The leash closes when the daemon executes another program. */
    if (pipe2(answer, O_CLOEXEC) != 0 || pipe2(leash, O_CLOEXEC) != 0) return;
    if (fork() == 0) {
        setsid();
        pid_t child = fork();
        if (child != 0) _exit(write(answer[1], &child, sizeof child) < 0);
        char *const nothing[] = {NULL};
        execle("/bin/sleep", "sleep", "1000", (char *)NULL, nothing);
        _exit(127);
    }
    close(leash[1]);
    if (read(answer[0], &daemon, sizeof daemon) < 0 || read(leash[0], line, 1) < 0) return;
    snprintf(line, sizeof line, "daemon %d", (int)daemon);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
}

FIXTURE(register_all, launch);
