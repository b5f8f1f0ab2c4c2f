#define _GNU_SOURCE
#include "lull_supervisor_shims.h"

#include "lull_broker_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t the_host, the_supervisor;

pid_t lull_host(void) { return the_host; }
pid_t lull_supervisor(void) { return the_supervisor; }

void lull_die_with_supervisor(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != the_supervisor) _exit(LULL_SUPERVISOR_DONE);
}

static void tell(struct lull_kept kept) {
    while (send(LULL_SUPERVISOR_LINK, &kept, sizeof kept, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

/* The child goes on as the worker. */
static int become_worker(const sigset_t *mask) {
    setsid();
    lull_die_with_supervisor();
    struct lull_kept kept = {.worker = getpid()};
    kept.is_in_group = write(LULL_SUPERVISOR_GROUP, "0", 1) == 1;
    tell(kept);
    close(LULL_SUPERVISOR_LINK);
    close(LULL_SUPERVISOR_GROUP);
    return sigprocmask(SIG_SETMASK, mask, NULL) == 0 ? 0 : errno;
}

/* Does nothing but interrupt a system call. */
static void notice(int signal) { (void)signal; }

/* Drops the worker's descriptors, and ignores every signal that can be ignored but SIGCHLD. */
static void become_supervisor(void) {
    struct sigaction ignored = {.sa_handler = SIG_IGN}, noticed = {.sa_handler = notice};
    for (int number = 1; number < NSIG; number++) {
        if (number != SIGCHLD) sigaction(number, &ignored, NULL);
    }
    sigaction(SIGCHLD, &noticed, NULL);
    dup2(STDIN_FILENO, STDOUT_FILENO);
    dup2(STDIN_FILENO, STDERR_FILENO);
    close(STDERR_FILENO + 1);
    close(LULL_SUPERVISOR_GROUP);
    if (chdir("/") != 0) { /* Then it keeps the host's folder from being unmounted, and no more. */
    }
    prctl(PR_SET_NAME, "lull-supervisor");
    prctl(PR_SET_DUMPABLE, 0);
    /* If it was stopped, it goes on when the host ends. */
    prctl(PR_SET_PDEATHSIG, SIGCONT);
}

static int has_ended(pid_t child) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* Reaps ended children until the worker is among them, which stays a zombie: its host learns from the kernel how it ended,
   and until then its pid can't be reused. Returns whether it has ended. */
static int reap_until(pid_t worker) {
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return errno != EINTR;
        if (info.si_pid == 0) return 0;
        if (info.si_pid == worker) return 1;
        waitpid(info.si_pid, NULL, WNOHANG | __WALL);
    }
}

enum { SECOND = 1000 * 1000 * 1000 };

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

/* Until when the worker may run, by the clock that counts sleep (0: for ever), how long the machine had slept when that was
   set, and the timer for it; -1: there is none yet. */
static int64_t the_end, slept_before;
static int timer = -1;

static void set_end(int64_t end) {
    the_end = end;
    slept_before = nanoseconds(CLOCK_BOOTTIME) - nanoseconds(CLOCK_MONOTONIC);
    if (timer < 0 && end) timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    struct itimerspec when = {.it_value = {.tv_sec = end / SECOND, .tv_nsec = end % SECOND}};
    if (timer >= 0) timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Whether the time is up, and the host has let it pass. If the machine slept meanwhile, the host wakes up at this moment as
   well, and may do better than to end all of a worker: it gets ten more seconds for that. */
static int is_overdue(void) {
    int64_t now = nanoseconds(CLOCK_BOOTTIME), slept = now - nanoseconds(CLOCK_MONOTONIC);
    if (the_end == 0 || now < the_end) return 0;
    if (slept - slept_before < SECOND) return 1;
    set_end(now + 10 * (int64_t)SECOND);
    return 0;
}

/* Waits until the worker has ended, or the host has or wants it to: 0; or until its time is up: `LULL_SUPERVISOR_OVERDUE`. */
static int watch(pid_t worker, const sigset_t *during) {
    const struct timespec second = {.tv_sec = 1};
    while (!reap_until(worker)) {
        if (is_overdue()) return LULL_SUPERVISOR_OVERDUE;
        struct pollfd both[] = {{.fd = LULL_SUPERVISOR_LINK, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
        /* Without a timer it looks each second. */
        if (ppoll(both, 2, the_end && timer < 0 ? &second : NULL, during) <= 0 || !both[0].revents) continue;
        int64_t end;
        ssize_t length = recv(LULL_SUPERVISOR_LINK, &end, sizeof end, MSG_DONTWAIT);
        if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) return 0;
        if (length == sizeof end) set_end(end);
    }
    return 0;
}

/* Signals all members of a family by their groups, so that none of a group can fork meanwhile. A group of theirs has no
   other members: a process enters a session only by being forked there. */
static void signal_all(const pid_t *members, ssize_t count, int number) {
    pid_t own = getpgrp(), last = 0;
    for (ssize_t i = 0; i < count; i++) {
        pid_t group = getpgid(members[i]);
        if (group > 0 && group == last) continue;
        if (group <= 1 || group == own || kill(-group, number) != 0) kill(members[i], number);
        last = group;
    }
}

/* One look, and one signal to all that it found. Returns how many there were; `reaped` counts those of them that had ended. */
static ssize_t look_and_signal(int number, pid_t worker, int *reaped) {
    pid_t *members = NULL;
    ssize_t count = lull_descendants(getpid(), &members);
    signal_all(members, count, number);
    for (ssize_t i = 0; i < count; i++) {
        if (members[i] != worker && waitpid(members[i], NULL, WNOHANG | __WALL) == members[i]) ++*reaped;
    }
    free(members);
    return count;
}

/* Children of a supervisor leave its list only when it reaps them: with none but the worker's zombie there is no descendant. */
static int is_alone(pid_t worker) {
    pid_t *members = NULL;
    ssize_t count = lull_descendants(getpid(), &members);
    int result = count == 0 || (count == 1 && members[0] == worker && has_ended(worker));
    free(members);
    return result;
}

/* All are stopped before the first is killed, so that none reacts to another's end. A process that does not end
   within a second, while no new one comes up, hangs in the kernel and runs no code of its own any more. */
static int end_all(pid_t worker, const sigset_t *during) {
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    if (is_alone(worker)) return LULL_SUPERVISOR_DONE;
    /* As far as that is permitted: a thousand busy processes are not to keep the supervisor waiting. */
    setpriority(PRIO_PROCESS, 0, -20);
    for (int idle = 0; idle < 100;) {
        int reaped = 0;
        ssize_t before = -1;
        for (int round = 0; round < 16; round++) {
            ssize_t count = look_and_signal(SIGSTOP, worker, &reaped);
            if (count == before) break;
            before = count;
        }
        look_and_signal(SIGKILL, worker, &reaped);
        if (is_alone(worker)) return LULL_SUPERVISOR_DONE;
        if (reaped) {
            idle = 0;
        } else {
            idle++;
            ppoll(NULL, 0, &pause, during);
        }
    }
    return LULL_SUPERVISOR_LEFT;
}

int lull_keep(void) {
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (fcntl(LULL_SUPERVISOR_LINK, F_SETFD, FD_CLOEXEC) != 0) return errno;
    the_host = getppid();
    the_supervisor = getpid();
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || sigprocmask(SIG_BLOCK, &child, &before) != 0) return errno;
    int fault = lull_broker_open();
    if (fault) return fault;
    pid_t worker = fork();
    if (worker == 0) return become_worker(&before);
    if (worker < 0) {
        tell((struct lull_kept){.worker = -errno});
        _exit(LULL_SUPERVISOR_NO_WORKER);
    }
    become_supervisor();
    lull_broker_serve();
    int overdue = watch(worker, &before);
    _exit(end_all(worker, &before) | overdue);
}
