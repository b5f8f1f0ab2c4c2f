/*
 * Makes the supervisor work for it: `chmod` of a path that leads through 38 links of 1,000 bytes each, again and again. Logs the
 * cost for its own thread, in microseconds, or which call has failed. (XFS takes no link of more than 1,024 bytes.)
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINKS = 38, LENGTH = 1000, CALLS = 150 };

/* "./././…/2": each folder on the way is looked up. Returns the call that has failed. */
static const char *make_way(void) {
    char target[LENGTH + 16], name[16];
    for (int i = 0; i < LENGTH; i++) target[i] = i % 2 ? '/' : '.';
    FILE *end = fopen("0", "we");
    if (!end || fclose(end) != 0) return "fopen";
    for (int i = 1; i <= LINKS; i++) {
        snprintf(target + LENGTH, sizeof target - LENGTH, "%d", i - 1);
        snprintf(name, sizeof name, "%d", i);
        if (symlink(target, name) != 0) return "symlink";
    }
    return NULL;
}

static const char *go(void) {
    char first[16];
    snprintf(first, sizeof first, "%d", LINKS);
    const char *fault = chdir(the_host->state_dir) == 0 ? make_way() : "chdir";
    for (int i = 0; i < CALLS && !fault; i++) {
        /* A mount elsewhere in between makes the kernel begin anew, and it counts the links of both ways: 40 are too many. */
        if (chmod(first, 0600 + (mode_t)(i & 1)) != 0 && errno != ELOOP) fault = "chmod";
    }
    return fault;
}

static void *work(void *task) {
    struct timespec used = {0, 0};
    char line[128];
    const char *fault = go();
    if (fault) {
        snprintf(line, sizeof line, "microseconds %s: %s", fault, strerror(errno));
    } else {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        snprintf(line, sizeof line, "microseconds %ld", used.tv_sec * 1000000 + used.tv_nsec / 1000);
    }
    the_host->log_task(the_host, (lull_task)(uintptr_t)task, LULL_INFO, line);
    return NULL;
}

static void launch(const lull_launch *launch) { on_thread(work, launch->task); }

FIXTURE(register_all, launch);
