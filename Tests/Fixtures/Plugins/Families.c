/*
 * Starts the kind of process that the launched task is named after, most in separate sessions, and completes the run. All these
 * processes have the name in the setting `name`; `number` in the log is the PID of the first.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char name[32];

static void stay(void) {
    for (;;) pause();
}

static void burn(void) {
    for (volatile unsigned long count = 0;; count++) continue;
}

static void eat(void) {
    memset(malloc(100 << 20), 1, 100 << 20);
    stay();
}

/* Runs `act` in a child in a separate session. */
static pid_t apart(void (*act)(void)) {
    pid_t child = fork();
    if (child != 0) return child;
    setsid();
    prctl(PR_SET_NAME, name);
    act();
    _exit(0);
}

/* Forks, ends the parent, leaves the session, again and again. */
static void hop(void) {
    for (;;) {
        pid_t next = fork();
        if (next != 0) _exit(0);
        setsid();
    }
}

/* Each process forks. Beyond some thousands they stop: a slow machine could not end more in time. */
static void multiply(void) {
    atomic_int *born =
        mmap(NULL, sizeof *born, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (;;) {
        if (born == MAP_FAILED || atomic_fetch_add(born, 1) > 3000) stay();
        if (fork() < 0) usleep(1000);
    }
}

/* Only root may inspect it, and it has no mark of its app. */
static void hide(void) {
    clearenv();
    prctl(PR_SET_DUMPABLE, 0);
    if (fork() != 0) _exit(0);
    setsid();
    stay();
}

static void *stay_as_thread(void *context) {
    stay();
    return context;
}

/* Its first thread ends, and another goes on. */
static void lose_leader(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, stay_as_thread, NULL);
    syscall(SYS_exit, 0);
}

static void launch(const lull_launch *launch) {
    char line[64];
    pid_t child = 0;
    the_host->setting(the_host, 0, "/name", name, sizeof name);
    if (is_task(launch, "quiet")) child = apart(stay);
    if (is_task(launch, "outlives")) child = apart(stay);
    if (is_task(launch, "memory")) child = apart(eat);
    if (is_task(launch, "time")) child = apart(burn);
    if (is_task(launch, "hopper")) child = apart(hop);
    if (is_task(launch, "bomb")) child = apart(multiply);
    if (is_task(launch, "hidden")) child = apart(hide);
    if (is_task(launch, "leaderless")) child = apart(lose_leader);
    if (is_task(launch, "zombies")) {
        for (int i = 0; i < 40; i++) {
            if (fork() == 0) _exit(0);
        }
    }
    if (is_task(launch, "threads")) {
        for (int i = 0; i < 40; i++) {
            pthread_t thread;
            pthread_create(&thread, NULL, stay_as_thread, NULL);
        }
    }
    snprintf(line, sizeof line, "number %d", (int)child);
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
    complete(launch);
}

static int32_t start(const lull_host *host) {
    char task[256] = "";
    host->setting(host, 0, "/lull/permitted/0", task, sizeof task);
    /* The kernel would end the worker soon after its supervisor. */
    if (strstr(task, "outlives")) prctl(PR_SET_PDEATHSIG, 0);
    return register_all(host);
}

FIXTURE(start, launch);
