/*
 * A plugin that is never at rest; the last label of a task's identifier begins with one of these acts:
 *
 *   quick    completes at once
 *   slow     completes after some milliseconds, on a thread of its own
 *   fails    completes without success
 *   chain    submits itself again for soon, then completes; `start` submits the first
 *   crash    crashes
 *
 * Each submit that the host accepted is noted in `accepted` in the app's folder, with its earliest begin date in
 * milliseconds, which is unique among the app's submits.
 */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_llong last_begin;
static atomic_uint launches;

static int64_t wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Later than any before it. */
static int64_t next_begin(int64_t wanted) {
    long long last = atomic_load(&last_begin), begin;
    do begin = wanted > last ? wanted : last + 1;
    while (!atomic_compare_exchange_weak(&last_begin, &last, begin));
    return begin;
}

static void submit(const char *identifier, int64_t in_ms) {
    lull_request request = {.size = sizeof request, .kind = LULL_KIND_PROCESSING, .identifier = identifier};
    int64_t begin = next_begin(wall_ms() + in_ms);
    request.earliest_begin_unix_ns = begin * 1000000;
    if (the_host->submit(the_host, &request) != LULL_OK) return;
    char path[4096], line[512];
    snprintf(path, sizeof path, "%s/accepted", the_host->state_dir);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    int length = snprintf(line, sizeof line, "%s %lld\n", identifier, (long long)begin);
    if (write(file, line, (size_t)length) != length) abort();
    close(file);
}

static int starts_with(const lull_launch *launch, const char *what) {
    const char *dot = strrchr(launch->identifier, '.');
    return dot && strncmp(dot + 1, what, strlen(what)) == 0;
}

static void *work(void *context) {
    lull_task task = (lull_task)(uintptr_t)context;
    struct timespec pause = {.tv_nsec = (long)(task * 7919 % 60) * 1000000};
    nanosleep(&pause, NULL);
    the_host->log_task(the_host, task, LULL_INFO, "worked");
    the_host->set_task_completed(the_host, task, true);
    return NULL;
}

static int32_t start(const lull_host *host) {
    char name[256], pointer[64];
    register_all(host);
    for (int i = 0;; i++) {
        snprintf(pointer, sizeof pointer, "/lull/permitted/%d", i);
        if (host->setting(host, 0, pointer, name, sizeof name) < 0) return 0;
        if (strstr(name, ".chain")) submit(name, 0);
    }
}

static void launch(const lull_launch *launch) {
    unsigned number = atomic_fetch_add(&launches, 1);
    if (starts_with(launch, "slow")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, (void *)(uintptr_t)launch->task) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    if (starts_with(launch, "crash")) abort();
    if (starts_with(launch, "chain")) submit(launch->identifier, number % 30);
    printf("launch %u of %s\n", number, launch->identifier);
    fflush(stdout);
    the_host->set_task_completed(the_host, launch->task, !starts_with(launch, "fails"));
}

FIXTURE(start, launch);
