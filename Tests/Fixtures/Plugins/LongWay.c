/*
 * Lets others work for it: `chmod` of a path that leads through 38 links of 4,000 bytes each, again and again. Says what that
 * has cost its own thread, in microseconds.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINKS = 38, LENGTH = 4000, CALLS = 150 };

/* "./././…/2": each folder on the way is looked up. */
static int make_way(void) {
    char target[LENGTH + 16], name[16];
    for (int i = 0; i < LENGTH; i++) target[i] = i % 2 ? '/' : '.';
    FILE *end = fopen("0", "we");
    if (!end || fclose(end) != 0) return -1;
    for (int i = 1; i <= LINKS; i++) {
        snprintf(target + LENGTH, sizeof target - LENGTH, "%d", i - 1);
        snprintf(name, sizeof name, "%d", i);
        if (symlink(target, name) != 0) return -1;
    }
    return 0;
}

static void *work(void *task) {
    struct timespec used = {0, 0};
    char first[16], line[64];
    snprintf(first, sizeof first, "%d", LINKS);
    int fault = chdir(the_host->state_dir) != 0 || make_way() != 0;
    for (int i = 0; i < CALLS && !fault; i++) fault = chmod(first, 0600 + (mode_t)(i & 1)) != 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    snprintf(line, sizeof line, "microseconds %ld", fault ? -1 : used.tv_sec * 1000000 + used.tv_nsec / 1000);
    the_host->log_task(the_host, (lull_task)(uintptr_t)task, LULL_INFO, line);
    return NULL;
}

static void launch(const lull_launch *launch) { on_thread(work, launch->task); }

FIXTURE(register_all, launch);
