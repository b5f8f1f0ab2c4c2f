/* Acts on processes: the host, its threads, the supervisor. */
#ifndef ATTACK_PROCESSES_H
#define ATTACK_PROCESSES_H

#include "attack_files.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <time.h>

static int opens_of(pid_t pid, const char *name, int flags) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return opens(path, flags);
}
static int a_seize(void) { return (int)ptrace(PTRACE_SEIZE, host, 0, 0); }
static int a_attach_thread(void) { return (int)ptrace(PTRACE_ATTACH, thread, 0, 0); }
static int a_seize_supervisor(void) { return (int)ptrace(PTRACE_SEIZE, getppid(), 0, 0); }
static int a_memory_of_supervisor(void) { return opens_of(getppid(), "mem", O_RDWR); }
static int a_write_memory(void) {
    char byte = 0;
    struct iovec from = {&byte, 1}, to = {(void *)&the_host, 1};
    return process_vm_writev(host, &from, 1, &to, 1, 0) < 0 ? -1 : 0;
}
static int a_maps(void) { return opens_of(host, "maps", O_RDONLY); }
static int a_environment(void) { return opens_of(host, "environ", O_RDONLY); }
static int a_auxiliary(void) { return opens_of(thread, "auxv", O_RDONLY); }
static int a_clear_references(void) { return opens_of(host, "clear_refs", O_WRONLY); }
static int a_dump_filter(void) { return opens_of(host, "coredump_filter", O_WRONLY); }
static int a_name_of_host(void) { return opens_of(thread, "comm", O_WRONLY); }
static int a_group_by_proc(void) { return opens_of(host, "autogroup", O_WRONLY); }
static int a_root_of_host(void) { return opens_of(host, "root/etc/passwd", O_RDONLY); }
static int a_folder_of_host(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cwd", (int)host);
    int descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return closing(descriptor, descriptor);
}
static int a_descriptors_of_host(void) {
    char path[64];
    int result = -1;
    for (int i = 0; i < 40 && result < 0; i++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)host, i);
        int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        result = closing(descriptor, descriptor);
    }
    return result;
}
static int a_take_descriptor(void) {
    int process = (int)syscall(434, host, 0);
    if (process < 0) return -1;
    int taken = (int)syscall(438, process, 3, 0);
    return closing(process, closing(taken, taken));
}
static int a_enter_host(void) {
    int process = (int)syscall(434, thread, 0);
    return closing(process, process < 0 ? -1 : setns(process, CLONE_NEWNS));
}
static int a_enter_its_namespace(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)host);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return closing(descriptor, descriptor < 0 ? -1 : setns(descriptor, 0));
}
static int a_compare(void) { return (int)syscall(SYS_kcmp, host, getpid(), 0, 0, 0); }
static int a_advise(void) {
    char byte;
    struct iovec place = {&byte, 1};
    int process = (int)syscall(434, getpid(), 0);
    return closing(process, (int)syscall(440, process, &place, 1, 21, 0));
}
static int a_release(void) {
    int process = (int)syscall(434, getpid(), 0);
    return closing(process, (int)syscall(448, process, 0));
}
static int a_signal_of_group(void) { return kill(-getpgid(host), 0); }
static int a_signal_of_all(void) { return kill(-1, 0); }
static int a_signal_of_supervisor(void) { return kill(getppid(), 0); }
static int a_signal_of_supervisors_group(void) { return kill(-getpgid(getppid()), SIGTERM); }
static int a_group_of_host(void) { return setpgid(0, getpgid(host)); }
/* The kernel sends these later in the app's name; the test sees at the host whether they came. */
static int signal_by_descriptor(int kind, pid_t target) {
    int ends[2];
    struct f_owner_ex owner = {kind, target};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    fcntl(ends[0], F_SETOWN_EX, &owner);
    fcntl(ends[0], F_SETSIG, SIGTERM);
    fcntl(ends[0], F_SETFL, O_ASYNC);
    if (write(ends[1], "x", 1) != 1) errno = EPIPE;
    close(ends[0]);
    close(ends[1]);
    errno = EAGAIN;
    return -1;
}
static int a_async_thread(void) { return signal_by_descriptor(F_OWNER_TID, thread); }
static int a_async_process(void) { return signal_by_descriptor(F_OWNER_PID, host); }
static int a_async_group(void) { return signal_by_descriptor(F_OWNER_PGRP, getpgid(host)); }
static int a_timer(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGTERM};
    event._sigev_un._tid = thread;
    return (int)syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
}
static int a_credentials(void) {
    int ends[2];
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
    } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = 2, .cmsg_len = CMSG_LEN(sizeof(struct ucred))}};
    struct iovec word = {(char *)"x", 1};
    struct msghdr message = {
        .msg_iov = &word, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct ucred false_name = {host, getuid(), getgid()};
    memcpy(CMSG_DATA(&control.header), &false_name, sizeof false_name);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    int result = sendmsg(ends[0], &message, 0) < 0 ? -1 : 0;
    return closing(ends[0], closing(ends[1], result));
}
static int a_first_in_line(void) {
    struct sched_param one = {.sched_priority = 1};
    return sched_setscheduler(0, SCHED_FIFO, &one);
}
static int a_deadline(void) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } wanted = {48, 6, 0, 0, 0, 10000000, 30000000, 30000000};
    return (int)syscall(SYS_sched_setattr, 0, &wanted, 0);
}
static int a_nicer(void) { return setpriority(PRIO_PROCESS, 0, -20); }
static int a_disk_first(void) { return (int)syscall(SYS_ioprio_set, 1, 0, 1 << 13); }
static int a_spared(void) {
    int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    return closing(descriptor, write(descriptor, "-1000", 5) == 5 ? 0 : -1);
}
static int a_more_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_max += 1;
    return setrlimit(RLIMIT_NOFILE, &limit);
}
/* The app's own filter, which permits calls that the worker's filter stops. */
static int a_own_listener(void) {
    struct sock_filter steps[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)};
    struct sock_fprog all = {1, steps};
    pid_t child = fork();
    if (child == 0) {
        int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &all);
        _exit(listener < 0 ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EBUSY;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
static int a_own_filter(void) {
    struct sock_filter steps[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog all = {1, steps};
    pid_t child = fork();
    if (child == 0) {
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all);
        _exit(chmod(file, 0666) == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EPERM;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
/* A program without a name, from memory. */
static int a_unnamed_program(void) {
    char *const arguments[] = {(char *)"chmod", (char *)"666", file, NULL}, *const nothing[] = {NULL};
    static char bytes[1 << 20];
    int from = open("/bin/chmod", O_RDONLY | O_CLOEXEC), to = memfd_create("lull", MFD_CLOEXEC);
    ssize_t length = read(from, bytes, sizeof bytes);
    if (length <= 0 || write(to, bytes, (size_t)length) != length) return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 2);
        fexecve(to, arguments, nothing);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(from);
    close(to);
    errno = EPERM;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

#endif
