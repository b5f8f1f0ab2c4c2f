/*
 * Fills the disk as the launched task is named: `file`, a file of its own; `nameless`, one that it has deleted; `elsewhere`, one
 * beside its folder; `empty`, files without a byte; `words`, the history, with orders of transfers; `grow`, a file of its own,
 * slowly, up to 64 MiB; `tidy` deletes that. Expiration is ignored.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char bytes[64 << 10];

/* Goes on forever, also when there is no room. */
static void write_all(int file) {
    for (;;)
        if (write(file, bytes, sizeof bytes) < 0) usleep(1000);
}

/* Writes 64 MiB, then waits to be ended. */
static void write_some(int file) {
    for (int i = 0; i < (64 << 20) / (int)sizeof bytes; i++) {
        if (write(file, bytes, sizeof bytes) < 0) the_host->log(the_host, LULL_ERROR, strerror(errno));
        usleep(2000);
    }
    for (;;) pause();
}

/* Long orders for tomorrow; refused ones are ordered again. */
static void order_all(void) {
    lull_header headers[40];
    char reason[512];
    uint64_t number;
    memset(bytes, 'x', 1000);
    for (int i = 0; i < 40; i++) headers[i] = (lull_header){.name = "x", .value = bytes};
    for (uint64_t ordinal = 1;;) {
        lull_transfer_order order = {.size = sizeof order, .session = "words", .ordinal = ordinal};
        order.url = "http://127.0.0.1:9/";
        order.headers = headers;
        order.header_count = 40;
        order.earliest_begin_unix_ns = ((int64_t)time(NULL) + 86400) * 1000000000;
        order.expected_to_send = order.expected_to_receive = -1;
        if (the_host->transfer(the_host, &order, &number, reason, sizeof reason) == LULL_OK) ordinal++;
        else usleep(100000);
    }
}

static void in_folder(char *path, size_t size, const char *name) {
    snprintf(path, size, "%s/%s", the_host->state_dir, name);
}

static void *fill(void *context) {
    const char *what = context;
    char path[4096], name[64];
    if (strcmp(what, "words") == 0) order_all();
    if (strcmp(what, "empty") == 0) {
        for (int i = 0;; i++) {
            snprintf(name, sizeof name, "empty%d", i);
            in_folder(path, sizeof path, name);
            int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            if (file >= 0) close(file);
            else usleep(1000);
        }
    }
    in_folder(path, sizeof path, strcmp(what, "elsewhere") == 0 ? "../../../beside/file" : "file");
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) the_host->log(the_host, LULL_ERROR, strerror(errno));
    if (strcmp(what, "nameless") == 0) unlink(path);
    memset(bytes, 1, sizeof bytes);
    if (strcmp(what, "grow") == 0) write_some(file);
    else write_all(file);
    return NULL;
}

static void expire(void *context, lull_task task) { (void)context, (void)task; }

static void launch(const lull_launch *launch) {
    char path[4096];
    the_host->set_expiration_handler(the_host, launch->task, NULL, expire);
    in_folder(path, sizeof path, "file");
    if (is_task(launch, "tidy")) {
        unlink(path);
        return complete(launch);
    }
    pthread_t thread;
    const char *dot = strrchr(launch->identifier, '.');
    pthread_create(&thread, NULL, fill, strdup(dot + 1));
}

FIXTURE(register_all, launch);
