/* A plugin that leaves processes behind: a child, one in a separate group, and a daemon; it logs their PIDs. */
#define _GNU_SOURCE
#include "fixture.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void stay(void) {
    for (;;) pause();
}

static void tell(const lull_launch *launch, const char *what, pid_t pid) {
    char line[64];
    snprintf(line, sizeof line, "%s %d", what, (int)pid);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
}

static pid_t daemonize(void) {
    int ends[2];
    pid_t daemon = 0;
    if (pipe(ends) != 0) return 0;
    pid_t between = fork();
    if (between == 0) {
        setsid();
        pid_t child = fork();
        if (child == 0) stay();
        if (write(ends[1], &child, sizeof child) < 0) _exit(1);
        _exit(0);
    }
    waitpid(between, NULL, 0);
    if (read(ends[0], &daemon, sizeof daemon) < 0) return 0;
    return daemon;
}

static void launch(const lull_launch *launch) {
    pid_t child = fork();
    if (child == 0) stay();
    pid_t apart = fork();
    if (apart == 0) {
        setpgid(0, 0);
        stay();
    }
    setpgid(apart, apart);
    tell(launch, "child", child);
    tell(launch, "apart", apart);
    tell(launch, "daemon", daemonize());
    complete(launch);
}

FIXTURE(register_all, launch);
