#define _GNU_SOURCE
#include "lull_confine_shims.h"
#include "lull_keeper_shims.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

/* A filter while it is written down. */
struct program {
    struct sock_filter steps[512];
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

/* Goes on in place of the next `skipped` steps where what is loaded is not `value`. */
static void unless_equal(struct program *program, uint32_t value, unsigned char skipped) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void refuse_call(struct program *program, long number, int fault) {
    unless_equal(program, (uint32_t)number, 1);
    refuse(program, fault);
}

/* Refuses the call where its argument is one of the values; what is loaded is the call's number again then. */
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

/* Mounts, modules, other kernels: no job's business, and the ways in for who wants to become more than it is. */
static const long refused[] = {
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_open_by_handle_at, SYS_acct, SYS_quotactl, SYS_syslog, SYS_kcmp, SYS_vhangup,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */,
    433 /* fspick */, 442 /* mount_setattr */,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
};

/* What names a process, and in which argument. */
static const struct {
    long number;
    int index;
} aimed[] = {
    {SYS_tkill, 0}, {SYS_tgkill, 0}, {SYS_rt_sigqueueinfo, 0}, {SYS_rt_tgsigqueueinfo, 0}, {434 /* pidfd_open */, 0},
    {SYS_ptrace, 1}, {SYS_process_vm_readv, 0}, {SYS_process_vm_writev, 0}, {SYS_prlimit64, 0},
    {SYS_sched_setaffinity, 0}, {SYS_sched_setscheduler, 0}, {SYS_sched_setparam, 0}, {SYS_sched_setattr, 0},
    {SYS_setpriority, 1}, {SYS_ioprio_set, 1}, {SYS_migrate_pages, 0}, {SYS_move_pages, 0},
};

static void write_down(struct program *program, int network, pid_t host, pid_t host_group) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    refuse(program, ENOSYS); /* Another table of calls, in which these numbers mean nothing. */
    load(program, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    refuse(program, ENOSYS);
#endif
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) refuse_call(program, refused[i], EPERM);
    /* Its operations pass by this filter. Programs do without it where there is none. */
    for (long number = 425; number <= 427; number++) refuse_call(program, number, ENOSYS);
    /* Its flags are where a filter can't look; the C library falls back to clone. */
    refuse_call(program, SYS_clone3, ENOSYS);
    refuse_flags(program, SYS_clone, 0, CLONE_NEWUSER);
    refuse_flags(program, SYS_unshare, 0, CLONE_NEWUSER);
    pid_t keeper = lull_keeper();
    const uint32_t targets[] = {(uint32_t)host,  (uint32_t)keeper,      (uint32_t)-host,
                                (uint32_t)-keeper, (uint32_t)-host_group, (uint32_t)-1};
    refuse_values(program, SYS_kill, 0, targets, 6, EPERM);
    for (size_t i = 0; i < sizeof aimed / sizeof *aimed; i++) {
        refuse_values(program, aimed[i].number, aimed[i].index, targets, 2, EPERM);
    }
    if (network) {
        unless_equal(program, SYS_socket, 6);
        load(program, argument(0));
        unless_equal(program, AF_UNIX, 1);
        allow(program);
        /* Which addresses this machine has is no way out of it. */
        unless_equal(program, AF_NETLINK, 1);
        allow(program);
        refuse(program, EACCES);
    }
    allow(program);
}

int lull_can_filter_calls(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int lull_filter_calls(int network, pid_t host, pid_t host_group) {
    struct program program = {.count = 0};
    write_down(&program, network, host, host_group);
    struct sock_fprog all = {.len = program.count, .filter = program.steps};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all) == 0 ? 0 : errno;
}
