/*
 * Attacks the host with a worker's means: its socket, its pipes, its user's limits. Does the act that the launched task is named after,
 * logs "held", and completes the run once there is a file `done` in the app's folder.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TO_HOST = 3 };

static void stay(void) {
    for (;;) pause();
}

static void nap(int milliseconds) {
    const struct timespec moment = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&moment, NULL);
}

/* Of a run of nobody's, as a worker says it. */
static size_t log_frame(char *frame, const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    memset(frame, 0, 10);
    frame[0] = 74;
    frame[9] = 2;
    memcpy(frame + 10, &length, sizeof length);
    memcpy(frame + 14, text, length);
    return 14 + length;
}

static int pass(int socket, const int *descriptors, size_t count, const void *bytes, size_t length) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * 64)];
    } control;
    struct iovec words = {(void *)bytes, length};
    struct msghdr message = {
        .msg_iov = &words, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(sizeof(int) * count)};
    control.header = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int) * count)};
    memcpy(CMSG_DATA(&control.header), descriptors, sizeof(int) * count);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -1 : 0;
}

/* A connection whose last close blocks. */
static int slow_to_close(void) {
    static char bytes[1 << 16];
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    struct linger minutes = {1, 300};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 1);
    getsockname(listener, (struct sockaddr *)&address, &length);
    connect(one, (struct sockaddr *)&address, sizeof address);
    setsockopt(one, SOL_SOCKET, SO_LINGER, &minutes, sizeof minutes);
    while (send(one, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
    return one;
}

/* Closes a connection that was not passed, without blocking. */
static void close_at_once(int slow) {
    struct linger none = {1, 0};
    setsockopt(slow, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(slow);
}

static void act_linger(void) {
    char frame[64];
    int slow = slow_to_close();
    size_t length = log_frame(frame, "take this");
    if (pass(TO_HOST, &slow, 1, frame, length) == 0) {
        close(slow);
    } else {
        printf("passed: %s\n", strerror(errno));
        close_at_once(slow);
    }
}

/* The same at the control socket. */
static void act_knock(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    the_host->setting(the_host, 0, "/control", address.sun_path, sizeof address.sun_path);
    int door = socket(AF_UNIX, SOCK_STREAM, 0), slow = slow_to_close();
    if (connect(door, (struct sockaddr *)&address, sizeof address) != 0) {
        printf("connected: %s\n", strerror(errno));
        close_at_once(slow);
    } else if (pass(door, &slow, 1, "\0\0\0\2{}", 6) != 0) {
        printf("passed: %s\n", strerror(errno));
        close_at_once(slow);
    } else {
        close(slow);
    }
    close(door);
}

/* As many descriptors in flight as the kernel allows a user. */
static void act_inflight(void) {
    struct rlimit limit;
    int given[64], sent = 0;
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < 64; i++) given[i] = 0;
    for (int round = 0; round < 4000; round++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) break;
        for (int i = 0; i < 8 && pass(ends[0], given, 64, "x", 1) == 0; i++) sent += 64;
        if (errno == ETOOMANYREFS) break;
    }
    printf("sent %d: %s\n", sent, strerror(errno));
}

static void act_instances(void) {
    int count = 0;
    while (count < 100000 && inotify_init() >= 0) count++;
    printf("%d instances: %s\n", count, strerror(errno));
}

static void act_locks(void) {
    char path[4096];
    int count = 0, descriptor = -1;
    for (; count < 8000; count++) {
        if (count % 100 == 0) {
            snprintf(path, sizeof path, "%s/locked-%d", the_host->state_dir, count);
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        }
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = count % 100 * 2, .l_len = 1};
        if (fcntl(descriptor, F_SETLK, &lock) != 0) break;
    }
    printf("%d locks\n", count);
}

static void *eat(void *nothing) {
    nap(200);
    memset(malloc(100 << 20), 1, 100 << 20);
    stay();
    return nothing;
}

/* A process whose first thread has ended looks like a zombie. */
static void act_leaderless(void) {
    if (fork() != 0) return;
    pthread_t thread;
    setsid();
    pthread_create(&thread, NULL, eat, NULL);
    syscall(SYS_exit, 0);
}

static void leave(int number) {
    (void)number;
    syscall(SYS_exit, 0);
}
static void act_leader(void) {
    signal(SIGUSR1, leave);
    syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
}

static void act_stop(void) { kill(getpid(), SIGSTOP); }
static void act_exec(void) { execl("/bin/sleep", "sleep", "1000", (char *)NULL); }

/* A tracer keeps its tracee's zombie. */
static void act_traced(void) {
    if (fork() != 0) return;
    setsid();
    ptrace(PTRACE_SEIZE, getppid(), 0, 0);
    ptrace(PTRACE_INTERRUPT, getppid(), 0, 0);
    stay();
}

static void *steal(void *nothing) {
    char bytes[4096];
    int own = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    for (int i = 0; i < 200000; i++) {
        if (read(own, bytes, sizeof bytes) < 0) continue;
    }
    return nothing;
}
static void act_steal(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, steal, NULL);
    for (int i = 0; i < 20000; i++) printf("mine\n");
}

static void act_packets(void) {
    fcntl(1, F_SETPIPE_SZ, 4096);
    fcntl(1, F_SETFL, O_DIRECT);
    for (int i = 0; i < 1000; i++) {
        if (write(1, "a packet\n", 9) != 9) break;
    }
}

static void act_deaf(void) { shutdown(TO_HOST, SHUT_RD); }
static void act_nothing(void) {
    for (int i = 0; i < 1000; i++) send(TO_HOST, "", 0, MSG_NOSIGNAL);
}

static void act_names(void) {
    if (fork() != 0) return;
    setsid();
    clearenv();
    prctl(PR_SET_NAME, ") Z 1 1\n1 1 (");
    stay();
}

static void *bear(void *nothing) {
    if (vfork() == 0) stay();
    return nothing;
}
static void act_vfork(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, bear, NULL);
}

static void act_escapes(void) {
    static const char words[] = "\033[2J\033]0;owned\a\302\2332J \342\200\256backwards\r\nlull: forged line\nnow lull: forged\342\200\250x";
    printf("%s\n", words);
    fprintf(stderr, "%s\n", words);
    the_host->log(the_host, LULL_ERROR, words);
}

static void *hold(void *task) {
    char path[4096];
    snprintf(path, sizeof path, "%s/done", the_host->state_dir);
    the_host->log(the_host, LULL_INFO, "held");
    while (access(path, F_OK) != 0) nap(10);
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

#define ACT(name) {#name, act_##name}
static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    ACT(linger), ACT(knock), ACT(inflight), ACT(instances), ACT(locks), ACT(leaderless), ACT(leader), ACT(stop),
    ACT(exec), ACT(traced), ACT(steal), ACT(packets), ACT(deaf), ACT(nothing), ACT(names), ACT(vfork), ACT(escapes),
};

static void launch(const lull_launch *launch) {
    pthread_t thread;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        if (is_task(launch, acts[i].name)) acts[i].act();
    }
    if (pthread_create(&thread, NULL, hold, (void *)(uintptr_t)launch->task) == 0) pthread_detach(thread);
}

FIXTURE(register_all, launch);
