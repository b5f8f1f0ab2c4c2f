/* A plugin that leaves an ended process behind, whose parent has ended too; it logs its PID. */
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static void launch(const lull_launch *launch) {
    int answer[2], leash[2];
    pid_t orphan = 0;
    char line[64];
    if (pipe(answer) != 0 || pipe(leash) != 0) return;
    pid_t between = fork();
    if (between == 0) {
        pid_t child = fork();
        if (child == 0) {
            /* Ends after its parent, which alone holds the other end. */
            close(leash[1]);
            _exit(read(leash[0], line, 1) != 0);
        }
        _exit(write(answer[1], &child, sizeof child) < 0);
    }
    close(leash[0]);
    close(leash[1]);
    waitpid(between, NULL, 0);
    if (read(answer[0], &orphan, sizeof orphan) < 0) return;
    snprintf(line, sizeof line, "orphan %d", (int)orphan);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
    complete(launch);
}

FIXTURE(register_all, launch);
