/*
 * Costs what the launched task is named after, and logs what the kernel has counted of it:
 *
 *   burn     a child counts to a number
 *   fill     a child touches 64 MiB
 *   write    a child writes 10 MiB into the state folder
 *   rest     nothing
 *   hold     nothing, and is open until the next launch
 *   crash    counts by itself, and crashes
 */
#include "fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static lull_task held;

static void burn(void) {
    for (volatile unsigned long count = 0; count < 200000000; count++) continue;
}

static void fill(void) {
    volatile char *memory = malloc(64 << 20);
    for (long place = 0; place < 64 << 20; place += 1024) memory[place] = 1;
}

static void write_file(void) {
    static char block[1 << 20];
    char path[4096];
    snprintf(path, sizeof path, "%s/written", getenv("HOME"));
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 10; i++)
        if (write(file, block, sizeof block) != sizeof block) _exit(1);
    close(file);
}

/* "used MICROSECONDS PEAK WRITTEN", in bytes. */
static void tell(lull_task task, const struct rusage *used) {
    char line[160];
    long seconds = used->ru_utime.tv_sec + used->ru_stime.tv_sec;
    snprintf(
        line, sizeof line, "used %ld %ld %ld", seconds * 1000000 + used->ru_utime.tv_usec + used->ru_stime.tv_usec,
        used->ru_maxrss << 10, used->ru_oublock << 9);
    the_host->log_task(the_host, task, LULL_INFO, line);
}

static void in_child(lull_task task, void (*act)(void)) {
    pid_t child = fork();
    if (child == 0) {
        act();
        _exit(0);
    }
    struct rusage used;
    if (wait4(child, NULL, 0, &used) == child) tell(task, &used);
}

static void *work(void *context) {
    lull_task task = (lull_task)(uintptr_t)context;
    burn();
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    tell(task, &used);
    abort();
}

static void launch(const lull_launch *launch) {
    if (held) {
        the_host->set_task_completed(the_host, held, true);
        held = 0;
    }
    if (is_task(launch, "hold")) {
        held = launch->task;
        return;
    }
    if (is_task(launch, "crash")) {
        on_thread(work, launch->task);
        return;
    }
    if (is_task(launch, "burn")) in_child(launch->task, burn);
    if (is_task(launch, "fill")) in_child(launch->task, fill);
    if (is_task(launch, "write")) in_child(launch->task, write_file);
    complete(launch);
}

FIXTURE(register_all, launch);
