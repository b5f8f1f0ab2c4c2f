/* Acts on processes that no other plugin tries: the host by its descriptors that the kernel hands out, and processes that share its user. */
#ifndef ASSAULT_PROCESSES_H
#define ASSAULT_PROCESSES_H

#include "assault_files.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

enum { TO_HOST = 3 };

static int signal_by(int process) {
    if (process < 0) return -1;
    return closing(process, (int)syscall(424 /* pidfd_send_signal */, process, SIGURG, NULL, 0));
}
static int of_process(pid_t pid, const char *name, int flags) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return open(path, flags | O_CLOEXEC | O_NONBLOCK);
}
static int opens_of(pid_t pid, const char *name, int flags) {
    int descriptor = of_process(pid, name, flags);
    return closing(descriptor, descriptor);
}

/* The peer of a socket pair is the process that made it: the host. */
static int a_signal_by_peer(void) {
    int process = -1;
    socklen_t length = sizeof process;
    if (getsockopt(TO_HOST, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &process, &length) != 0) return -1;
    return signal_by(process);
}
static int a_signal_by_folder(void) { return signal_by(of_process(host, "", O_RDONLY | O_DIRECTORY)); }
static int a_signal_by_task(void) {
    char name[64];
    snprintf(name, sizeof name, "task/%d", (int)thread);
    return signal_by(of_process(host, name, O_RDONLY | O_DIRECTORY));
}
static int a_signal_of_thread(void) { return signal_by((int)syscall(434, thread, O_EXCL)); }
static int a_signal_supervisor_by_folder(void) { return signal_by(of_process(getppid(), "", O_RDONLY | O_DIRECTORY)); }
static int a_signal_of_stranger(void) { return kill(1, SIGURG); }
static int a_signal_with_value(void) {
    siginfo_t info = {.si_code = SI_QUEUE, .si_pid = getpid()};
    return (int)syscall(SYS_rt_tgsigqueueinfo, host, thread, SIGURG, &info);
}
static int a_signal_by_tkill(void) { return (int)syscall(SYS_tkill, thread, SIGURG); }
static int a_signal_least(void) { return (int)syscall(SYS_kill, 0x80000000u, SIGURG); }
static int a_namespace_of_host(void) { return opens_of(host, "ns/net", O_RDONLY); }
static int a_namespace_by_descriptor(void) {
    int process = of_process(host, "", O_RDONLY | O_DIRECTORY), space = -1;
    if (process >= 0) space = ioctl(process, 0xff04 /* PIDFD_GET_NET_NAMESPACE */, 0);
    return closing(process, closing(space, space));
}
static int a_share_core(void) { return prctl(62 /* PR_SCHED_CORE */, 2 /* SHARE_TO */, host, 1, 0); }
static int a_make_core(void) { return prctl(62, 1 /* CREATE */, host, 1, 0); }
static int a_priority_of_user(void) { return setpriority(PRIO_USER, getuid(), 1); }
static int a_priority_of_group(void) { return setpriority(PRIO_PGRP, (id_t)getpgid(host), 1); }
static int a_disk_of_user(void) { return (int)syscall(SYS_ioprio_set, 3, getuid(), 3 << 13); }
static int a_disk_of_group(void) { return (int)syscall(SYS_ioprio_set, 2, getpgid(host), 3 << 13); }
static int a_doomed(void) { return opens_of(host, "oom_score_adj", O_WRONLY); }
static int a_doomed_in_old(void) { return opens_of(host, "oom_adj", O_WRONLY); }
static int a_slack(void) { return opens_of(thread, "timerslack_ns", O_WRONLY); }
static int a_statistics(void) { return opens_of(host, "sched", O_WRONLY); }
static int a_label(void) { return opens_of(host, "attr/current", O_WRONLY); }
static int a_login(void) { return opens_of(host, "loginuid", O_WRONLY); }
static int a_map_of_users(void) { return opens_of(host, "uid_map", O_WRONLY); }
/* Everybody can open these, but only permitted processes can read them. */
static int reads_of(pid_t pid, const char *name) {
    char byte;
    int descriptor = of_process(pid, name, O_RDONLY);
    if (descriptor < 0) return -1;
    ssize_t count = read(descriptor, &byte, 1);
    if (count == 0) errno = EACCES;
    return closing(descriptor, count > 0 ? 0 : -1);
}
static int a_stack(void) { return reads_of(host, "stack"); }
static int a_call(void) { return reads_of(host, "syscall"); }
static int a_usage(void) { return reads_of(host, "io"); }
static int a_pages(void) { return reads_of(host, "smaps_rollup"); }
static int a_nodes(void) { return reads_of(host, "numa_maps"); }
static int a_personality(void) { return reads_of(host, "personality"); }
static int a_mapped_files(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/map_files", (int)host);
    DIR *folder = opendir(path);
    int result = -1;
    if (!folder) return -1;
    errno = EACCES;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') result = 0;
    }
    int fault = errno;
    closedir(folder);
    errno = fault;
    return result;
}
static int a_positions(void) { return opens_of(host, "fdinfo/0", O_RDONLY); }

/* The environment or memory of another process. */
static int a_any_process(void) {
    DIR *all = opendir("/proc");
    int result = -1;
    for (struct dirent *entry; all && result != 0 && (entry = readdir(all));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || pid == getpid()) continue;
        if (reads_of(pid, "environ") == 0 || opens_of(pid, "mem", O_RDONLY) == 0) {
            fprintf(stderr, "opened: process %d\n", (int)pid);
            result = 0;
        }
    }
    if (all) closedir(all);
    errno = EACCES;
    return result;
}
/* A sibling of the worker is a child of the supervisor; a sibling of the supervisor would be a child of the host. */
static int a_brother(void) {
    long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        long next = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
        if (next != 0) _exit(0);
        if (getppid() == host) close(open("escaped", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        _exit(0);
    }
    usleep(50000);
    errno = EPERM;
    return access("escaped", F_OK);
}
static int a_capable(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    memset(data, 0xff, sizeof data);
    return (int)syscall(SYS_capset, &header, data);
}
static int a_ambient(void) { return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0); }
static int a_bounded(void) {
    errno = EPERM;
    return prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN) == 1 && getuid() == 0 ? 0 : -1;
}
static int a_new_privileges(void) {
    errno = EPERM;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? -1 : 0;
}
static int a_root_again(void) {
    if (getuid() == 0) return errno = EPERM, -1;
    return setresuid(0, 0, 0);
}
static int a_group_of_root(void) {
    const gid_t root = 0;
    if (getuid() == 0) return errno = EPERM, -1;
    return setgroups(1, &root);
}
static int a_files_as_root(void) {
    if (getuid() == 0) return errno = EPERM, -1;
    setfsuid(0);
    errno = EPERM;
    return setfsuid((uid_t)-1) == 0 ? 0 : -1;
}
/* The host's descriptors in the worker, other than its three streams and its socket. */
static int a_left_open(void) {
    int result = -1;
    for (int i = 4; i < 1024; i++) {
        char path[64], target[256];
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0) continue;
        target[length] = 0;
        int flags = fcntl(i, F_GETFD);
        if (!(flags & FD_CLOEXEC)) {
            fprintf(stderr, "left open: %d %s\n", i, target);
            result = 0;
        }
    }
    errno = EBADF;
    return result;
}
static int a_surroundings(void) {
    static const char *const names[] = {"NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "WATCHDOG_PID",
                                        "JOURNAL_STREAM", "INVOCATION_ID", "CREDENTIALS_DIRECTORY", "LD_PRELOAD",
                                        "LD_LIBRARY_PATH", "LULL_SECRET", "AWS_SECRET_ACCESS_KEY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (getenv(names[i])) return 0;
    }
    errno = ENOENT;
    return -1;
}

#endif
