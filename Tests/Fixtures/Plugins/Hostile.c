/*
 * Does the forbidden act that the launched task is named after. Acts before and after all launches are chosen when it is
 * compiled: -DIN_CONSTRUCTOR=act_crash, -DIN_START=…, -DIN_DESTRUCTOR=…
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void act_crash(void) {
    volatile int *nowhere = NULL;
    *nowhere = 1;
}

static void act_abort(void) { abort(); }
static void act_exit(void) { exit(3); }

static void act_loop(void) {
    for (volatile unsigned long count = 0;; count++) continue;
}

static void act_hang(void) {
    for (;;) pause();
}

#ifdef IN_CONSTRUCTOR
__attribute__((constructor)) static void constructed(void) { IN_CONSTRUCTOR(); }
#endif
#ifdef IN_DESTRUCTOR
__attribute__((destructor)) static void destroyed(void) { IN_DESTRUCTOR(); }
#endif

static int32_t start(const lull_host *host) {
    int32_t status = register_all(host);
#ifdef IN_START
    IN_START();
#endif
#ifdef IN_ATEXIT
    atexit(IN_ATEXIT);
#endif
#ifdef REGISTERS
    if (host->register_task(host, REGISTERS)) host->log(host, LULL_ERROR, "it was registered");
#endif
    return status;
}

static void pass(int milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}

static void *crash(void *task) {
    (void)task;
    act_crash();
    return NULL;
}

/* Completes as soon as the run is over: its settings are gone then. */
static void *complete_late(void *context) {
    lull_task task = (lull_task)(uintptr_t)context;
    char none;
    while (the_host->setting(the_host, task, "", &none, sizeof none) >= 0) pass(5);
    the_host->set_task_completed(the_host, task, true);
    return NULL;
}

static void *flood(void *task) {
    for (int64_t end = the_host->now(the_host) + 1000000000; the_host->now(the_host) < end;) {
        puts("all work and no play makes a dull log, and a long one");
    }
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void *eat(void *task) {
    (void)task;
    for (;; pass(10)) {
        char *piece = malloc(1 << 20);
        if (piece) memset(piece, 1, 1 << 20);
    }
    return NULL;
}

static void *stay(void *context) {
    act_hang();
    return context;
}

static void handler_crash(void *context, lull_task task) {
    (void)context, (void)task;
    act_crash();
}

static void handler_loop(void *context, lull_task task) {
    (void)context, (void)task;
    act_loop();
}

static void handler_nothing(void *context, lull_task task) {
    (void)context, (void)task;
}

static void ignore(int signal) { (void)signal; }

static void ignore_signals(void) {
    sigset_t all;
    struct sigaction action = {.sa_handler = ignore};
    sigfillset(&all);
    for (int number = 1; number < 65; number++) sigaction(number, &action, NULL);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void leave_daemon(void) {
    if (fork() != 0) return;
    setsid();
    if (fork() == 0) act_hang();
    _exit(0);
}

static void lower_limits(void) {
    const struct rlimit none = {0, 0}, few = {4, 4};
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_NOFILE, &few);
}

/* Goes on until the host has accepted two, so that one replaces the other, however slow the machine is. */
static void submit_for_a_second(const lull_launch *launch) {
    lull_request request = {.size = sizeof request, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier};
    request.earliest_begin_unix_ns = INT64_C(4102444800) * 1000000000;
    int64_t end = the_host->now(the_host) + 1000000000;
    for (int taken = 0; taken < 2 || the_host->now(the_host) < end;) {
        if (the_host->submit(the_host, &request) == 0) taken++;
    }
    the_host->cancel(the_host, launch->identifier);
}

/* The host is the parent of the supervisor, which is the parent of this process. 0: the signal was sent. */
static int kill_host(void) {
    char text[256], path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    int file = open(path, O_RDONLY);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (length < 0) return -1;
    text[length] = 0;
    const char *end = strrchr(text, ')');
    return end ? kill((pid_t)atoi(end + 4), SIGKILL) : -1;
}

static void say(const lull_launch *launch, const char *what, int result) {
    char line[128];
    snprintf(line, sizeof line, "%s: %s", what, result == 0 ? "done" : strerror(errno));
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
}

/* Nonzero if the run should be completed at once. */
static int act(const lull_launch *launch) {
    if (is_task(launch, "crash")) act_crash();
    if (is_task(launch, "abort")) act_abort();
    if (is_task(launch, "exit")) act_exit();
    if (is_task(launch, "loop")) act_loop();
    if (is_task(launch, "hang")) act_hang();
    if (is_task(launch, "thread")) return on_thread(crash, launch->task), 0;
    if (is_task(launch, "never")) return 0;
    if (is_task(launch, "late")) return on_thread(complete_late, launch->task), 0;
    if (is_task(launch, "handler_crash")) {
        return the_host->set_expiration_handler(the_host, launch->task, NULL, handler_crash), 0;
    }
    if (is_task(launch, "handler_loop")) {
        return the_host->set_expiration_handler(the_host, launch->task, NULL, handler_loop), 0;
    }
    if (is_task(launch, "ignore") || is_task(launch, "sigterm")) {
        if (is_task(launch, "sigterm")) ignore_signals();
        return the_host->set_expiration_handler(the_host, launch->task, NULL, handler_nothing), 0;
    }
    if (is_task(launch, "twice")) complete(launch);
    if (is_task(launch, "other")) {
        for (lull_task task = 1; task < 9; task++) {
            if (task != launch->task) the_host->set_task_completed(the_host, task, true);
        }
    }
    if (is_task(launch, "violations")) {
        for (;;) the_host->set_task_completed(the_host, 424242, true);
    }
    if (is_task(launch, "children")) {
        for (int i = 0; i < 3; i++) {
            if (fork() == 0) act_hang();
        }
    }
    if (is_task(launch, "daemon")) leave_daemon();
    if (is_task(launch, "flood")) return on_thread(flood, launch->task), 0;
    if (is_task(launch, "memory")) return on_thread(eat, launch->task), 0;
    if (is_task(launch, "descriptors")) {
        while (open("/dev/null", O_RDONLY) >= 0) continue;
        say(launch, "open", -1);
    }
    if (is_task(launch, "close")) {
        for (int descriptor = 0; descriptor <= 20; descriptor++) close(descriptor);
    }
    if (is_task(launch, "garbage")) return send(3, "hello, host", 11, 0) < 0;
    if (is_task(launch, "forged")) return send(3, "\x49\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0", 18, 0) < 0;
    if (is_task(launch, "kill")) say(launch, "kill", kill_host());
    if (is_task(launch, "supervisor")) say(launch, "kill", kill(getppid(), SIGKILL));
    if (is_task(launch, "signals")) ignore_signals();
    if (is_task(launch, "chdir")) say(launch, "chdir", chdir("/"));
    if (is_task(launch, "rlimit")) lower_limits();
    if (is_task(launch, "locale")) {
        setenv("LC_ALL", "tr_TR.UTF-8", 1);
        setenv("TZ", "Pacific/Kiritimati", 1);
        setlocale(LC_ALL, "");
        tzset();
        printf("%.2f\n", 0.5);
    }
    if (is_task(launch, "threads")) {
        for (int i = 0; i < 1000; i++) on_thread(stay, launch->task);
    }
    if (is_task(launch, "submit")) submit_for_a_second(launch);
    return 1;
}

static void launch(const lull_launch *launch) {
    if (act(launch)) complete(launch);
}

FIXTURE(start, launch);
