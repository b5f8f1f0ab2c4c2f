/*
 * Hides 24 MiB from walks through its folder: in 1,500 folders there is one file, which it moves from one end to the other as the
 * walk comes near. With the task `wakes` a timer lets it go on when it is stopped.
 */
#define _GNU_SOURCE
#include "fixture.h"
#include "waking.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 1500 };

static char names[FOLDERS][16];
static char piece[1 << 20];

/* In the order of a walk. */
static int read_names(void) {
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && count < FOLDERS && (entry = readdir(folder));) {
        if (entry->d_name[0] == 'f') strcpy(names[count++], entry->d_name);
    }
    if (folder) closedir(folder);
    return count;
}

static int make_all(void) {
    char name[16];
    for (int i = 0; i < FOLDERS; i++) {
        snprintf(name, sizeof name, "f%d", i);
        if (mkdir(name, 0700) != 0) return -1;
    }
    if (read_names() != FOLDERS || chdir(names[FOLDERS - 1]) != 0) return -1;
    int file = open("large", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    memset(piece, 1, sizeof piece);
    for (int i = 0; i < 24; i++) {
        if (write(file, piece, sizeof piece) != (ssize_t)sizeof piece) return -1;
    }
    return fsync(file) | close(file) | chdir("..");
}

/* Moves the file to the far end when a walk begins, and behind the walk when it is half through. */
static void move_away(int ready) {
    char early[32], late[32], buffer[4096];
    int events = inotify_init1(IN_CLOEXEC);
    snprintf(early, sizeof early, "%s/large", names[FOLDERS / 10]);
    snprintf(late, sizeof late, "%s/large", names[FOLDERS - 1]);
    int begins = inotify_add_watch(events, ".", IN_OPEN);
    int is_near = inotify_add_watch(events, names[FOLDERS / 2], IN_OPEN);
    if (write(ready, "", 1) != 1) return;
    for (;;) {
        ssize_t length = read(events, buffer, sizeof buffer);
        for (ssize_t at = 0; at < length;) {
            const struct inotify_event *event = (const void *)(buffer + at);
            at += (ssize_t)sizeof *event + event->len;
            if (event->wd == is_near) rename(late, early);
            if (event->wd == begins && event->len == 0) rename(early, late);
        }
    }
}

static void *work(void *wakes) {
    int ready[2];
    char byte;
    if (chdir(the_host->state_dir) != 0 || make_all() != 0 || pipe(ready) != 0) return NULL;
    if (fork() == 0) {
        if (wakes) wake_by_timers();
        move_away(ready[1]);
    }
    if (read(ready[0], &byte, 1) == 1) the_host->log(the_host, LULL_INFO, "hidden");
    return NULL;
}

static void launch(const lull_launch *launch) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)(uintptr_t)is_task(launch, "wakes"));
}

FIXTURE(register_all, launch);
