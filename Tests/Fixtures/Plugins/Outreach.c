/*
 * Tries acts that would have an effect outside of the app's folder, and writes their results to `results` there, a line
 * "ACT: done" or "ACT: why not" each. The permitted acts are in the second half.
 */
#define _GNU_SOURCE
#include "aim.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <utime.h>

static char through[64];

static int with_file(int flags, int (*act)(int)) {
    int descriptor = open(file, flags | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int result = act(descriptor), fault = errno;
    close(descriptor);
    errno = fault;
    return result;
}

static int a_chmod(void) { return chmod(file, 0666); }
static int a_setuid(void) { return chmod(file, 04755); }
static int on_fchmod(int descriptor) { return fchmod(descriptor, 0666); }
static int a_fchmod(void) { return with_file(O_RDONLY, on_fchmod); }
static int a_fchmodat2(void) { return (int)syscall(452, AT_FDCWD, file, 0666, 0); }
static int on_through(int descriptor) {
    snprintf(through, sizeof through, "/proc/self/fd/%d", descriptor);
    return chmod(through, 0666);
}
static int a_chmod_by_proc(void) { return with_file(O_PATH, on_through); }
static int a_chmod_by_root(void) {
    char path[1024];
    snprintf(path, sizeof path, "/proc/self/root%s", file);
    return chmod(path, 0666);
}
static int a_chmod_by_link(void) {
    unlink("link");
    return symlink(file, "link") != 0 ? -1 : chmod("link", 0666);
}
static int a_chmod_by_name(void) {
    unlink("name");
    return link(file, "name") != 0 ? -1 : chmod("name", 0666);
}
static int a_chmod_folder(void) { return chmod("/tmp", 01777); }
static int a_chmod_device(void) { return chmod("/dev/null", 0666); }
static int a_chown(void) { return chown(file, getuid() ? getuid() : 65534, (gid_t)-1); }
static int a_lchown(void) { return lchown(file, (uid_t)-1, getgid() ? getgid() : 65534); }
static int a_utime(void) { return utime(file, NULL); }
static int a_utimes(void) { return utimes(file, NULL); }
static int a_utimensat(void) { return utimensat(AT_FDCWD, file, NULL, 0); }
static int on_futimens(int descriptor) { return futimens(descriptor, NULL); }
static int a_futimens(void) { return with_file(O_RDONLY, on_futimens); }
static int a_setxattr(void) { return setxattr(file, "user.lull", "x", 1, 0); }
static int a_setxattrat(void) {
    struct {
        uint64_t value;
        uint32_t size, flags;
    } given = {(uintptr_t) "x", 1, 0};
    return (int)syscall(463, AT_FDCWD, file, 0, "user.lull", &given, sizeof given);
}
static int on_removexattr(int descriptor) { return fremovexattr(descriptor, "user.kept"); }
static int a_removexattr(void) { return with_file(O_RDONLY, on_removexattr); }
static int on_flags(int descriptor) {
    int flags = 0x40; /* Not dumped. */
    return ioctl(descriptor, _IOW('f', 2, long), &flags);
}
static int a_flags(void) { return with_file(O_RDONLY, on_flags); }

static int a_history(void) { return opens(state, O_RDONLY); }
static int a_secret(void) { return opens(secret, O_RDONLY); }
static int a_lock(void) {
    char path[600];
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 1};
    snprintf(path, sizeof path, "%s-shm", state);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? -1 : fcntl(descriptor, F_SETLK, &lock);
}
static int a_terminal(void) { return opens(terminal, O_WRONLY); }
static int a_shared_memory(void) {
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/lull-%d", (int)getpid());
    int result = opens(path, O_WRONLY | O_CREAT), fault = errno;
    unlink(path);
    errno = fault;
    return result;
}
static int a_segment(void) { return shmget((key_t)atoi(number), 0, 0); }

static const struct rlimit small = {1 << 20, 1 << 20};
static int a_limit(void) { return prlimit(host, RLIMIT_CORE, &small, NULL); }
static int a_limit_of_thread(void) { return prlimit(thread, RLIMIT_CORE, &small, NULL); }
static int a_nice_of_thread(void) { return setpriority(PRIO_PROCESS, (id_t)thread, 19); }
static int a_nice_of_user(void) { return setpriority(PRIO_USER, getuid(), 19); }
static int a_nice_of_group(void) { return setpriority(PRIO_PGRP, (id_t)getpgid(host), 19); }
static int a_affinity(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    return sched_setaffinity(thread, sizeof one, &one);
}
static int a_scheduler(void) {
    struct sched_param none = {0};
    return sched_setscheduler(thread, SCHED_IDLE, &none);
}
static int a_ioprio(void) { return (int)syscall(SYS_ioprio_set, 1, thread, 3 << 13); }
static int a_ioprio_of_user(void) { return (int)syscall(SYS_ioprio_set, 3, getuid(), 3 << 13); }
static int a_robust_list(void) {
    void *head;
    size_t length;
    return (int)syscall(SYS_get_robust_list, thread, &head, &length);
}
static int a_signal(void) { return kill(thread, 0); }
static int a_signal_of_thread(void) { return (int)syscall(SYS_tkill, thread, 0); }
static int a_signal_by_descriptor(void) {
    int descriptor = (int)syscall(434, host, 0);
    return descriptor < 0 ? -1 : (int)syscall(424, descriptor, 0, NULL, 0);
}
static int a_queued_signal(void) {
    siginfo_t info = {.si_code = SI_QUEUE};
    return (int)syscall(SYS_rt_tgsigqueueinfo, host, thread, 0, &info);
}
static int a_score(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)host);
    return opens(path, O_WRONLY);
}
static int a_slack(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/timerslack_ns", (int)thread);
    return opens(path, O_WRONLY);
}
static int a_setuid_file(void) {
    int descriptor = open("setuid", O_WRONLY | O_CREAT | O_CLOEXEC, 04755);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int may_chmod(void) { return chmod(own, 0640); }
static int may_touch(void) { return utime(own, NULL); }
static int may_chown(void) { return chown(own, getuid(), getgid()); }
static int may_nice(void) { return setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1); }
static int may_limit(void) {
    struct rlimit none = {0, 0};
    return prlimit(0, RLIMIT_CORE, &none, NULL);
}
static int may_run(void) {
    pid_t child = fork();
    if (child == 0) {
        int output = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(output, 1);
        dup2(output, 2);
        execl("/bin/sh", "sh", "-eu", script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EIO;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static const struct act acts[] = {
    ACT(a_chmod), ACT(a_setuid), ACT(a_fchmod), ACT(a_fchmodat2), ACT(a_chmod_by_proc), ACT(a_chmod_by_root),
    ACT(a_chmod_by_link), ACT(a_chmod_by_name), ACT(a_chmod_folder), ACT(a_chmod_device), ACT(a_chown), ACT(a_lchown),
    ACT(a_utime), ACT(a_utimes), ACT(a_utimensat), ACT(a_futimens), ACT(a_setxattr), ACT(a_setxattrat),
    ACT(a_removexattr), ACT(a_flags), ACT(a_history), ACT(a_secret), ACT(a_lock), ACT(a_terminal),
    ACT(a_shared_memory), ACT(a_segment), ACT(a_limit), ACT(a_limit_of_thread), ACT(a_nice_of_thread),
    ACT(a_nice_of_user), ACT(a_nice_of_group), ACT(a_affinity), ACT(a_scheduler), ACT(a_ioprio), ACT(a_ioprio_of_user),
    ACT(a_robust_list), ACT(a_signal), ACT(a_signal_of_thread), ACT(a_signal_by_descriptor), ACT(a_queued_signal),
    ACT(a_score), ACT(a_slack), ACT(a_setuid_file),
    ACT(may_chmod), ACT(may_touch), ACT(may_chown), ACT(may_nice), ACT(may_limit), ACT(may_run),
};

static void launch(const lull_launch *launch) {
    try_all(acts, sizeof acts / sizeof *acts);
    complete(launch);
}

FIXTURE(register_all, launch);
