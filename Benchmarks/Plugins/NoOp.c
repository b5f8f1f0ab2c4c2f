/*
 * A plugin whose handlers do nothing, so that only the host is measured.
 *
 * With a setting `stamps`, the path of a mapped file, each launch writes its time there. The file holds a counter, a capacity
 * and as many int64s, nanoseconds on CLOCK_MONOTONIC. Without the setting a launch only completes.
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct stamps {
    _Atomic uint32_t count;
    uint32_t capacity;
    int64_t times[];
};

static const lull_host *the_host;
static struct stamps *the_stamps;

static struct stamps *map(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return NULL;
    struct stat status;
    void *memory = MAP_FAILED;
    if (fstat(file, &status) == 0) {
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

static int32_t start(const lull_host *host) {
    char name[256], pointer[64], path[4096];
    the_host = host;
    for (int i = 0;; i++) {
        snprintf(pointer, sizeof pointer, "/lull/permitted/%d", i);
        if (host->setting(host, 0, pointer, name, sizeof name) < 0) break;
        if (!host->register_task(host, name)) return 1;
    }
    if (host->setting(host, 0, "/stamps", path, sizeof path) > 0) {
        the_stamps = map(path);
        if (!the_stamps) return 2;
    }
    return 0;
}

static void launch(const lull_launch *launch) {
    if (the_stamps) {
        uint32_t index = atomic_fetch_add(&the_stamps->count, 1);
        if (index < the_stamps->capacity) the_stamps->times[index] = the_host->now(the_host);
    }
    the_host->set_task_completed(the_host, launch->task, true);
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
