/*
 * Shared by plugins that try forbidden acts: their targets, and the result of each act, in `results` in the app's folder, a line
 * "ACT: done" or "ACT: why not" each.
 */
#ifndef AIM_H
#define AIM_H

#include "fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

struct act {
    const char *name;
    int (*act)(void);
};
#define ACT(name) {#name, name}

/* Another user's file, open to all; the host's state; another app's secret; a terminal; a script. */
static char file[512], state[512], secret[512], terminal[512], script[512], number[32];
static char own[600];
static pid_t host, thread;

static int opens(const char *path, int flags) {
    int descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, 0600);
    return descriptor < 0 ? -1 : close(descriptor);
}

/* The first ancestor that is not one of Lull's processes for this app. */
static pid_t find_host(void) {
    for (pid_t pid = getppid();;) {
        char path[64], name[64] = "";
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *stat = fopen(path, "re");
        if (!stat) return pid;
        int read = fscanf(stat, "%*d (%63[^)]) %*c %d", name, &parent);
        fclose(stat);
        if (read < 2 || strncmp(name, "lull-", 5) != 0) return pid;
        pid = parent;
    }
}

static pid_t find_thread(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    pid_t found = pid;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != pid) found = atoi(entry->d_name);
    }
    if (folder) closedir(folder);
    return found;
}

/* The host's limits, priority, scheduler and processors. */
static void look_at(pid_t pid, char *text, size_t room) {
    char path[64];
    size_t length = 0;
    snprintf(path, sizeof path, "/proc/%d/limits", (int)host);
    FILE *limits = fopen(path, "re");
    if (limits) length = fread(text, 1, room - 64, limits);
    if (limits) fclose(limits);
    cpu_set_t processors;
    CPU_ZERO(&processors);
    sched_getaffinity(pid, sizeof processors, &processors);
    snprintf(
        text + length, room - length, "%d %d %d", getpriority(PRIO_PROCESS, (id_t)pid), sched_getscheduler(pid),
        CPU_COUNT(&processors));
}

static void take_aim(void) {
    static const struct {
        const char *name;
        char *text;
        size_t room;
    } given[] = {{"/file", file, sizeof file},       {"/state", state, sizeof state},
                 {"/secret", secret, sizeof secret}, {"/terminal", terminal, sizeof terminal},
                 {"/script", script, sizeof script}, {"/number", number, sizeof number}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        the_host->setting(the_host, 0, given[i].name, given[i].text, given[i].room);
    }
    snprintf(own, sizeof own, "%s/own", the_host->state_dir);
    opens(own, O_WRONLY | O_CREAT);
    host = find_host();
    thread = find_thread(host);
}

/* Tries all acts, with the app's folder as the current one. */
static void try_all(const struct act *acts, size_t count) {
    static char before[8192], after[8192];
    FILE *results = chdir(the_host->state_dir) == 0 ? fopen("results", "we") : NULL;
    if (!results) return;
    take_aim();
    look_at(thread, before, sizeof before);
    for (size_t i = 0; i < count; i++) {
        int fault = acts[i].act() < 0 ? errno : 0;
        fprintf(results, "%s: %s\n", acts[i].name, fault ? strerror(fault) : "done");
        fflush(results);
    }
    look_at(thread, after, sizeof after);
    fprintf(results, "host: %s\nuser: %d\n", strcmp(before, after) == 0 ? "unchanged" : "changed", (int)getuid());
    fclose(results);
}

#endif
