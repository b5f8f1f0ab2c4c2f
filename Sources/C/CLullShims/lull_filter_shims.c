#define _GNU_SOURCE
#include "lull_confine_shims.h"
#include "lull_supervisor_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "Name the architecture as the kernel's audit does."
#endif

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

/* A filter that is being built. */
struct program {
    struct sock_filter steps[1024];
    unsigned short count;
};

static void add(struct program *program, struct sock_filter step) {
    if (program->count < sizeof program->steps / sizeof *program->steps) program->steps[program->count++] = step;
}

static void load(struct program *program, size_t offset) {
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* The lower half of an argument: numbers of processes, flags and families have no more. */
static size_t argument(int index) {
    return offsetof(struct seccomp_data, args) + 8 * (size_t)index
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
           + 4
#endif
        ;
}

static void refuse(struct program *program, int fault) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)fault));
}

static void allow(struct program *program) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* Skips the next `skipped` steps if the loaded value is not `value`. */
static void unless_equal(struct program *program, uint32_t value, unsigned char skipped) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void refuse_call(struct program *program, long number, int fault) {
    unless_equal(program, (uint32_t)number, 1);
    refuse(program, fault);
}

/* Refuses the call where its argument is one of the values, and else allows it. */
static void refuse_values(
    struct program *program, long number, int index, const uint32_t *values, int count, int fault) {
    unless_equal(program, (uint32_t)number, (unsigned char)(2 * count + 2));
    load(program, argument(index));
    for (int i = 0; i < count; i++) {
        unless_equal(program, values[i], 1);
        refuse(program, fault);
    }
    allow(program);
}

static void refuse_flags(struct program *program, long number, int index, uint32_t flags) {
    unless_equal(program, (uint32_t)number, 4);
    load(program, argument(index));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1));
    refuse(program, EPERM);
    allow(program);
}

/*
 * The system calls of Linux 6.18, each decided on. A call that is in no list below is let through: it reads, or acts on the
 * caller alone, or on what Landlock, ordinary permissions or lost capabilities keep (files: open, rename, link, truncate,
 * mknod; `ptrace`, `process_vm_*`, `/proc/PID` of others; the clock, the host's name, chroot, ports).
 *
 *   refused   no job's business, or a way to be more than one is, or to act on a process by a descriptor
 *   absent    the same, where programs fall back on another call when they are told that there is none
 *   itself    the process or thread that is named has to be 0, the caller, or one of the caller's own threads: the broker
 *             checks whose thread it is, and without a broker numbers other than 0 are refused
 *   shared    System V's and POSIX's queues, memory and semaphores, which belong to all processes of a user; let through
 *             where the worker has a namespace of its own for them
 *   named     flags and attributes of files that Landlock does not know; refused where writing is limited
 *   making    a file that runs with its owner's or group's rights is not made
 *   carried   mode, owner, times and extended attributes of files: the broker's
 *
 * Beside systemd's @system-service it refuses: clone3, keyctl, add_key, request_key, io_setup, io_uring, kcmp, userfaultfd,
 * pidfd_getfd, process_madvise; and it lets through what that lacks and only the caller feels (personality, modify_ldt).
 */
static const long refused[] = {
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_open_by_handle_at, SYS_acct, SYS_quotactl, SYS_syslog, SYS_kcmp, SYS_vhangup,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */,
    433 /* fspick */, 438 /* pidfd_getfd */, 440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */,
    448 /* process_mrelease */, 467 /* open_tree_attr */,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
};

static const long absent[] = {
    /* io_uring: its operations pass by this filter. */
    425, 426, 427,
    /* The machine has one small store of requests for all (fs.aio-max-nr), which is counted for no user. */
    SYS_io_setup,
    /* Its flags are where a filter can't look; the C library falls back to clone. */
    SYS_clone3,
    463 /* setxattrat */, 466 /* removexattrat */, 469 /* file_setattr */,
};

/* A call that acts on a process or thread, and the argument that names it. */
struct aim {
    long number;
    int index;
};
static const struct aim itself[] = {
    {SYS_prlimit64, 0}, {SYS_sched_setaffinity, 0}, {SYS_sched_setscheduler, 0}, {SYS_sched_setparam, 0},
    {SYS_sched_setattr, 0}, {SYS_migrate_pages, 0}, {SYS_move_pages, 0}, {SYS_get_robust_list, 0},
};

/* Calls that may aim at other processes of the app, and never at the host. */
static const struct aim aimed[] = {
    {SYS_tkill, 0}, {SYS_tgkill, 0}, {SYS_rt_sigqueueinfo, 0}, {SYS_rt_tgsigqueueinfo, 0}, {434 /* pidfd_open */, 0},
    {SYS_ptrace, 1}, {SYS_process_vm_readv, 0}, {SYS_process_vm_writev, 0},
};

/* Signals by a thread's number or by a descriptor do not show whose process it is. */
static const long unscoped[] = {SYS_tkill, SYS_rt_sigqueueinfo, 424 /* pidfd_send_signal */};

static const long shared[] = {
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
};

/* Of ioctl: the flags of a file (`chattr`), its project, version, label, encryption and seal; a subvolume's, and its making
   and removal: what lies in one counts for another disk, so nobody would see how much it is. */
static const uint32_t named[] = {
    0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x41009432, 0x800c6613, 0x40806685, 0x4008941a,
    0x40047211, 0x5000940e, 0x50009401, 0x50009417, 0x50009418, 0x5000940f, 0x5000943f,
};

/* Of ioctl: typing on a terminal in place of its user. */
static const uint32_t terminals[] = {0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */, 0x541d /* TIOCCONS */};

static const uint32_t signals_by_ioctl[] = {0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */};
/* A lease makes every process that opens the file wait, the host among them. */
static const uint32_t leases[] = {1024 /* F_SETLEASE */, 1040 /* F_SETDELEG */};
static const uint32_t signals_by_fcntl[] = {8 /* F_SETOWN */, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */};

static const long carried[] = {
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
};

/* Calls that make a file with a mode, which may not let others run it as the app: the arguments of flags (-1: none) and mode. */
static const struct making {
    long number;
    int flags, mode;
} making[] = {
    {SYS_openat, 2, 3}, {SYS_mknodat, -1, 2},
#ifdef SYS_open
    {SYS_open, 1, 2}, {SYS_creat, -1, 1}, {SYS_mknod, -1, 1},
#endif
};

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

static void ask_or_refuse(struct program *program, unsigned flags) {
    if (!(flags & LULL_BROKER)) return refuse(program, EPERM);
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
}

static void only_itself(struct program *program, struct aim aim, unsigned flags) {
    unless_equal(program, (uint32_t)aim.number, 4);
    load(program, argument(aim.index));
    unless_equal(program, 0, 1);
    allow(program);
    ask_or_refuse(program, flags);
}

/* The same for calls that name a kind of target first. */
static void only_itself_of_kind(struct program *program, long number, uint32_t kind, unsigned flags) {
    unless_equal(program, (uint32_t)number, 7);
    load(program, argument(0));
    unless_equal(program, kind, 4);
    load(program, argument(1));
    unless_equal(program, 0, 1);
    allow(program);
    ask_or_refuse(program, flags);
    refuse(program, EPERM);
}

/* Without these flags nothing is made, and a mode means nothing. */
static void limit_mode(struct program *program, struct making making) {
    if (making.flags < 0) return refuse_flags(program, making.number, making.mode, S_ISUID | S_ISGID);
    unless_equal(program, (uint32_t)making.number, 6);
    load(program, argument(making.flags));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3));
    load(program, argument(making.mode));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1));
    refuse(program, EPERM);
    allow(program);
}

static void limit_ioctl(struct program *program, unsigned flags) {
    uint32_t values[COUNT(terminals) + COUNT(named) + COUNT(signals_by_ioctl)];
    int count = 0;
    for (int i = 0; i < COUNT(terminals); i++) values[count++] = terminals[i];
    for (int i = 0; flags & LULL_WRITES_LIMITED && i < COUNT(named); i++) values[count++] = named[i];
    for (int i = 0; !(flags & LULL_SIGNALS_SCOPED) && i < COUNT(signals_by_ioctl); i++) {
        values[count++] = signals_by_ioctl[i];
    }
    refuse_values(program, SYS_ioctl, 1, values, count, EPERM);
}

static void limit_fcntl(struct program *program, unsigned flags) {
    uint32_t values[COUNT(leases) + COUNT(signals_by_fcntl)];
    int count = 0;
    for (int i = 0; i < COUNT(leases); i++) values[count++] = leases[i];
    for (int i = 0; !(flags & LULL_SIGNALS_SCOPED) && i < COUNT(signals_by_fcntl); i++) {
        values[count++] = signals_by_fcntl[i];
    }
    refuse_values(program, SYS_fcntl, 1, values, count, EPERM);
}

static void limit_signals(struct program *program, unsigned flags, pid_t host, pid_t host_group) {
    pid_t supervisor = lull_supervisor();
    const uint32_t targets[] = {(uint32_t)host,    (uint32_t)supervisor,      (uint32_t)-host,
                                (uint32_t)-supervisor, (uint32_t)-host_group, (uint32_t)-1};
    refuse_values(program, SYS_kill, 0, targets, 6, EPERM);
    if (!(flags & LULL_SIGNALS_SCOPED)) {
        for (int i = 0; i < COUNT(unscoped); i++) refuse_call(program, unscoped[i], EPERM);
    }
    for (int i = 0; i < COUNT(aimed); i++) {
        refuse_values(program, aimed[i].number, aimed[i].index, targets, 2, EPERM);
    }
}

static void limit_family(struct program *program, long number) {
    unless_equal(program, (uint32_t)number, 6);
    load(program, argument(0));
    unless_equal(program, AF_UNIX, 1);
    allow(program);
    /* Netlink shows this machine's addresses, and leads to no other machine. */
    unless_equal(program, AF_NETLINK, 1);
    allow(program);
    refuse(program, EACCES);
}

/* One of a pair may speak to others, too, where the family lets it (TIPC). */
static void limit_network(struct program *program) {
    limit_family(program, SYS_socket);
    limit_family(program, SYS_socketpair);
}

static void write_down(struct program *program, unsigned flags, pid_t host, pid_t host_group) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    refuse(program, ENOSYS); /* Another table of calls, in which these numbers mean nothing. */
    load(program, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    refuse(program, ENOSYS);
#endif
    for (int i = 0; i < COUNT(refused); i++) refuse_call(program, refused[i], EPERM);
    for (int i = 0; i < COUNT(absent); i++) refuse_call(program, absent[i], ENOSYS);
    for (int i = 0; !(flags & LULL_OWN_IPC) && i < COUNT(shared); i++) refuse_call(program, shared[i], EPERM);
    /* openat2 has its mode where a filter can't look. */
    if (flags & LULL_WRITES_LIMITED) refuse_call(program, 437, ENOSYS);
    for (int i = 0; flags & LULL_WRITES_LIMITED && i < COUNT(making); i++) limit_mode(program, making[i]);
    for (int i = 0; flags & LULL_WRITES_LIMITED && i < COUNT(carried); i++) {
        unless_equal(program, (uint32_t)carried[i], 1);
        ask_or_refuse(program, flags);
    }
    refuse_flags(program, SYS_clone, 0, CLONE_NEWUSER);
    refuse_flags(program, SYS_unshare, 0, CLONE_NEWUSER);
    for (int i = 0; i < COUNT(itself); i++) only_itself(program, itself[i], flags);
    only_itself_of_kind(program, SYS_setpriority, PRIO_PROCESS, flags);
    only_itself_of_kind(program, SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, flags);
    limit_ioctl(program, flags);
    limit_fcntl(program, flags);
    limit_signals(program, flags, host, host_group);
    if (flags & LULL_NO_NETWORK) limit_network(program);
    allow(program);
}

int lull_can_filter_calls(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int lull_own_ipc(void) { return unshare(CLONE_NEWIPC) == 0; }

int lull_can_ask_broker(void) {
    uint32_t action = SECCOMP_RET_USER_NOTIF;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int lull_filter_calls(unsigned flags, pid_t host, pid_t host_group) {
    struct program program = {.count = 0};
    write_down(&program, flags, host, host_group);
    struct sock_fprog all = {.len = program.count, .filter = program.steps};
    unsigned listens = flags & LULL_BROKER ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listens, &all);
    return result >= 0 ? (int)result : -errno;
}
