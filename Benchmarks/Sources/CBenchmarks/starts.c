#define _GNU_SOURCE
#include "benchmarks.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static _Atomic int64_t last_begun;

static void *begin(void *nothing) {
    int64_t mine = now();
    int64_t last = atomic_load(&last_begun);
    while (mine > last && !atomic_compare_exchange_weak(&last_begun, &last, mine)) {
    }
    return nothing;
}

int64_t benchmarks_start_threads(uint32_t count) {
    pthread_t *threads = calloc(count, sizeof *threads);
    if (!threads) return -1;
    atomic_store(&last_begun, 0);
    int64_t start = now();
    uint32_t started = 0;
    while (started < count && pthread_create(&threads[started], NULL, begin, NULL) == 0) started++;
    for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    free(threads);
    return started == count ? atomic_load(&last_begun) - start : -1;
}

int64_t benchmarks_start_processes(const char *path, uint32_t count) {
    pid_t *children = calloc(count, sizeof *children);
    posix_spawn_file_actions_t actions;
    if (!children || posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    char *arguments[] = {(char *)path, NULL};
    int64_t start = now();
    uint32_t started = 0;
    while (started < count &&
           posix_spawn(&children[started], path, &actions, NULL, arguments, environ) == 0) {
        started++;
    }
    for (uint32_t i = 0; i < started; i++) waitpid(children[i], NULL, 0);
    int64_t spent = now() - start;
    posix_spawn_file_actions_destroy(&actions);
    free(children);
    return started == count ? spent : -1;
}

static volatile sig_atomic_t the_child;

static void end_both(int signal_number) {
    if (the_child > 0) kill((pid_t)the_child, SIGTERM);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void benchmarks_end_with_me(int32_t child) {
    the_child = child;
    signal(SIGTERM, end_both);
    signal(SIGINT, end_both);
    signal(SIGHUP, end_both);
}

int64_t benchmarks_read_output(const char *command) {
    static char bytes[64 << 10];
    int64_t start = now();
    FILE *pipe = popen(command, "re");
    if (!pipe) return -1;
    while (read(fileno(pipe), bytes, sizeof bytes) > 0) continue;
    return pclose(pipe) == 0 ? now() - start : -1;
}

int64_t benchmarks_start_commands(const char *command, uint32_t count) {
    pid_t *children = calloc(count, sizeof *children);
    posix_spawn_file_actions_t actions;
    if (!children || posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    char *arguments[] = {"/bin/sh", "-c", (char *)command, NULL};
    int64_t start = now();
    uint32_t started = 0, ended = 0;
    while (started < count &&
           posix_spawn(&children[started], arguments[0], &actions, NULL, arguments, environ) == 0) {
        started++;
    }
    for (uint32_t i = 0; i < started; i++) {
        int status;
        if (waitpid(children[i], &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) ended++;
    }
    int64_t spent = now() - start;
    posix_spawn_file_actions_destroy(&actions);
    free(children);
    return ended == count ? spent : -1;
}
