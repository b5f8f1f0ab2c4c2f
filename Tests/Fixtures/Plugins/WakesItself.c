/*
 * Leaves a child that goes on although its app is suspended. The task's name chooses how: `timer`, by a timer that sends it
 * SIGCONT; `parent`, by the end of its parent: it is the first of three processes, and each goes on when the one before it ends;
 * `memory`, by a timer, and it takes 100 MiB when it finds its worker stopped. All are called "wakes".
 */
#define _GNU_SOURCE
#include "fixture.h"
#include "waking.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void burn(void) {
    for (volatile unsigned long count = 0;; count++) continue;
}

/* Writes its PID, and starts `more` processes after it. */
static void wake_by_parent(int numbers, int more) {
    pid_t parent = getppid(), own = getpid();
    prctl(PR_SET_PDEATHSIG, SIGCONT);
    if (write(numbers, &own, sizeof own) != sizeof own) _exit(1);
    if (more > 0 && fork() == 0) wake_by_parent(numbers, more - 1);
    while (getppid() == parent) usleep(1000);
    burn();
}

static int is_stopped(pid_t pid) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *end = length ? strrchr(text, ')') : NULL;
    return end && end[1] == ' ' && end[2] == 'T';
}

static void say(const lull_launch *launch, const char *which, pid_t number) {
    char line[64];
    snprintf(line, sizeof line, "%s %d", which, (int)number);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
}

static void launch(const lull_launch *launch) {
    int numbers[2];
    pid_t worker = getpid(), number = 0;
    if (pipe(numbers) != 0) return;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        prctl(PR_SET_NAME, "wakes");
        if (is_task(launch, "parent")) wake_by_parent(numbers[1], 2);
        wake_by_timers();
        if (write(numbers[1], &number, sizeof number) != sizeof number) _exit(1);
        if (is_task(launch, "timer")) burn();
        while (!is_stopped(worker)) pause();
        memset(malloc(100 << 20), 1, 100 << 20);
        for (;;) pause();
    }
    say(launch, "child", child);
    if (is_task(launch, "parent")) {
        const char *which[] = {"first", "second", "third"};
        for (int i = 0; i < 3 && read(numbers[0], &number, sizeof number) == sizeof number; i++) {
            say(launch, which[i], number);
        }
    } else if (read(numbers[0], &number, sizeof number) != sizeof number) {
        return; /* Only a child whose timer runs can wake itself. */
    }
    complete(launch);
}

FIXTURE(register_all, launch);
