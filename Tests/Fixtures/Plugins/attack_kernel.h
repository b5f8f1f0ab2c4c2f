/* Acts on the kernel: namespaces, mounts, clocks, settings, odd doors to its calls. */
#ifndef ATTACK_KERNEL_H
#define ATTACK_KERNEL_H

#include "attack_processes.h"

#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/fanotify.h>
#include <sys/timex.h>

#if defined(__x86_64__)
static int a_old_door(void) {
    char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) return -1;
    snprintf(low, 4096, "%s", file);
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(15L), "b"(low), "c"(0666L) : "memory", "r8", "r9", "r10", "r11");
    errno = (int)-result;
    return result < 0 ? -1 : 0;
}
static int a_short_door(void) { return (int)syscall(0x40000000 | SYS_chmod, file, 0666); }
static int a_ports(void) { return (int)syscall(SYS_iopl, 3); }
#endif
static int born(unsigned long flags) {
    long child = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    if (child > 0) waitpid((pid_t)child, NULL, 0);
    return child < 0 ? -1 : 0;
}
static int a_born_elsewhere(void) { return born(CLONE_NEWUSER | CLONE_NEWNS); }
static int a_born_first(void) { return born(CLONE_NEWPID); }
static int a_clone3(void) {
    uint64_t wanted[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long child = syscall(435, wanted, sizeof wanted);
    if (child == 0) _exit(0);
    return child < 0 ? -1 : 0;
}
static int a_into_group(void) {
    uint64_t wanted[11] = {0x200000000, 0, 0, 0, SIGCHLD};
    long child = syscall(435, wanted, sizeof wanted);
    if (child == 0) _exit(0);
    return child < 0 ? -1 : 0;
}
static int a_own_mounts(void) { return unshare(CLONE_NEWNS); }
static int a_own_network(void) { return unshare(CLONE_NEWNET); }
static int a_own_name(void) { return unshare(CLONE_NEWUTS); }
static int a_own_time(void) { return unshare(0x80); }
static int a_own_groups(void) { return unshare(CLONE_NEWCGROUP); }
static int a_chroot(void) { return chroot("."); }
static int a_new_root(void) { return (int)syscall(SYS_pivot_root, ".", "."); }
static int a_file_system(void) { return (int)syscall(430, "tmpfs", 0); }
static int a_tree(void) { return (int)syscall(428, AT_FDCWD, "/", 1); }
static int a_mount_attribute(void) {
    uint64_t wanted[4] = {0};
    return (int)syscall(442, AT_FDCWD, "/", 0, wanted, sizeof wanted);
}
static int a_unmount(void) { return (int)syscall(SYS_umount2, "/proc", 2); }
static int a_quota(void) { return (int)syscall(SYS_quotactl, 0x800001 << 8, NULL, 0, NULL); }
static int a_accounting(void) { return (int)syscall(SYS_acct, NULL); }
static int a_swap(void) { return (int)syscall(SYS_swapoff, "/nowhere"); }
static int a_kernel(void) { return (int)syscall(SYS_kexec_load, 0L, 0L, NULL, 0L); }
static int a_reboot(void) { return (int)syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL); }
static int a_module(void) { return (int)syscall(SYS_delete_module, "lull_none", 0); }
static int a_log(void) { return (int)syscall(SYS_syslog, 10, NULL, 0); }
static int a_program(void) {
    uint64_t wanted[16] = {1, 4, 4};
    return (int)syscall(SYS_bpf, 0, wanted, sizeof wanted);
}
static int a_counters(void) {
    uint32_t wanted[32] = {0, 128};
    return (int)syscall(SYS_perf_event_open, wanted, host, -1, -1, 0);
}
static int a_faults(void) { return (int)syscall(SYS_userfaultfd, 1); }
static int a_ring(void) {
    uint32_t wanted[32] = {0};
    return (int)syscall(425, 1, wanted);
}
static int a_key(void) { return (int)syscall(SYS_add_key, "user", "lull", "x", 1, KEY_SPEC_USER_KEYRING); }
static int a_key_of_session(void) { return (int)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL); }
static int a_watch_all(void) { return fanotify_init(FAN_CLASS_CONTENT, O_RDONLY); }
static int a_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return clock_settime(CLOCK_REALTIME, &now);
}
static int a_tick(void) {
    struct timex wanted = {.modes = ADJ_MAXERROR, .maxerror = 16000000};
    return adjtimex(&wanted) < 0 ? -1 : 0;
}
static int a_alarm(void) {
    timer_t timer;
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    return (int)syscall(SYS_timer_create, CLOCK_REALTIME_ALARM, &none, &timer);
}
static int a_name(void) {
    char name[256];
    return gethostname(name, sizeof name) != 0 ? -1 : sethostname(name, strlen(name));
}
static int a_core_pattern(void) { return opens("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int a_magic_key(void) { return opens("/proc/sysrq-trigger", O_WRONLY); }
static int a_caches(void) { return opens("/proc/sys/vm/drop_caches", O_WRONLY); }
static int a_power(void) {
    return opens_one((const char *const[]){"/sys/power/state", "/sys/kernel/mm/ksm/run", NULL}, O_WRONLY);
}
static int a_group(void) {
    return opens_one(
        (const char *const[]){"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs",
                              "/sys/fs/cgroup/freezer/cgroup.procs", "/sys/fs/cgroup/pids/tasks", NULL},
        O_WRONLY);
}
static int a_group_made(void) {
    if (mkdir("/sys/fs/cgroup/lull-attack", 0755) == 0) return rmdir("/sys/fs/cgroup/lull-attack");
    if (mkdir("/sys/fs/cgroup/freezer/lull-attack", 0755) == 0) return rmdir("/sys/fs/cgroup/freezer/lull-attack");
    return -1;
}
static int a_raw_socket(void) {
    int descriptor = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, 1);
    return closing(descriptor, descriptor);
}
static int a_packets(void) {
    int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    return closing(descriptor, descriptor);
}
/* Whether the kernel accepts a message to one of its own sockets. */
static int says(int family, uint16_t type, const void *rest, size_t room) {
    struct {
        struct nlmsghdr header;
        char rest[128];
    } word = {.header = {(uint32_t)(NLMSG_HDRLEN + room), type, NLM_F_REQUEST | NLM_F_ACK, 1, 0}};
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);
    if (descriptor < 0) return -1;
    memcpy(word.rest, rest, room);
    struct timeval timeout = {1, 0};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    ssize_t length = send(descriptor, &word, word.header.nlmsg_len, 0);
    if (length > 0) length = recv(descriptor, &word, sizeof word, 0);
    int fault = 0;
    if (length > 0) memcpy(&fault, word.rest, sizeof fault);
    if (fault < 0) errno = -fault;
    return closing(descriptor, length < 0 || fault < 0 ? -1 : 0);
}
static int a_interface(void) {
    struct ifinfomsg loopback = {.ifi_index = 1, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    return says(NETLINK_ROUTE, RTM_NEWLINK, &loopback, sizeof loopback);
}
static int a_audit(void) { return says(NETLINK_AUDIT, 1107, "lull", 5); }
static int a_event(void) {
    struct sockaddr_nl all = {.nl_family = AF_NETLINK, .nl_groups = 2};
    static const char word[] = "libudev\0";
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
    ssize_t sent = sendto(descriptor, word, sizeof word, 0, (struct sockaddr *)&all, sizeof all);
    return closing(descriptor, sent < 0 ? -1 : 0);
}

#endif
