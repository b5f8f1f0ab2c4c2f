/* Acts on processes and kernel that no other plugin tries: settings of the network by `ioctl` and by sockets, the host by its threads. */
#ifndef RAID_KERNEL_H
#define RAID_KERNEL_H

#include "raid_files.h"

#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <time.h>

static int of_network(unsigned long number) {
    struct ifreq request = {.ifr_name = "lo"};
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    request.ifr_mtu = 1400;
    return descriptor < 0 ? -1 : closing(descriptor, ioctl(descriptor, number, &request));
}
static int a_loopback_off(void) { return of_network(0x8914 /* SIOCSIFFLAGS */); }
static int a_route_added(void) { return of_network(0x890b); }
static int a_route_removed(void) { return of_network(0x890c); }
static int a_address_set(void) { return of_network(0x8916); }
static int a_mask_set(void) { return of_network(0x891c); }
static int a_size_set(void) { return of_network(0x8922 /* SIOCSIFMTU */); }
static int a_queue_set(void) { return of_network(0x8943 /* SIOCSIFTXQLEN */); }
static int a_name_set(void) { return of_network(0x8923 /* SIOCSIFNAME */); }
static int a_neighbour_set(void) { return of_network(0x8955 /* SIOCSARP */); }
static int a_bridge_made(void) { return of_network(0x89a0 /* SIOCBRADDBR */); }
static int a_hardware_set(void) { return of_network(0x8924 /* SIOCSIFHWADDR */); }
static int a_map_set(void) { return of_network(0x8971 /* SIOCSIFMAP */); }
static int a_bond_set(void) { return of_network(0x8990 /* SIOCBONDENSLAVE */); }

static int option(int type, int level, int name) {
    int one = 1000, descriptor = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -1 : closing(descriptor, setsockopt(descriptor, level, name, &one, sizeof one));
}
static int a_mark(void) { return option(SOCK_STREAM, SOL_SOCKET, SO_MARK); }
static int a_forced_room(void) { return option(SOCK_STREAM, SOL_SOCKET, SO_RCVBUFFORCE); }
static int a_first_packets(void) { return option(SOCK_DGRAM, SOL_SOCKET, SO_PRIORITY); }
static int a_transparent(void) { return option(SOCK_STREAM, SOL_IP, 19 /* IP_TRANSPARENT */); }
static int a_repair(void) { return option(SOCK_STREAM, SOL_TCP, 19 /* TCP_REPAIR */); }
static int a_debug(void) { return option(SOCK_STREAM, SOL_SOCKET, SO_DEBUG); }
static int a_filter_of_machine(void) { return option(SOCK_STREAM, SOL_IP, 64 /* IPT_SO_SET_REPLACE */); }
static int a_router(void) { return option(SOCK_DGRAM, SOL_IP, 200 /* MRT_INIT */); }

/* Groups to which the kernel announces others' acts. */
static int hear(int family, unsigned group) {
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = group};
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);
    if (descriptor < 0) return -1;
    return closing(descriptor, bind(descriptor, (struct sockaddr *)&address, sizeof address));
}
static int a_hears_audit(void) { return hear(NETLINK_AUDIT, 1); }
static int a_hears_filters(void) { return hear(NETLINK_NETFILTER, 1); }
static int a_hears_tunnels(void) { return hear(NETLINK_XFRM, 1); }
static int a_tunnel(void) {
    struct {
        struct nlmsghdr header;
        char room[400];
    } request = {.header = {.nlmsg_len = sizeof request, .nlmsg_type = 0x1c /* FLUSHSA */, .nlmsg_flags = 5}};
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    char answer[512];
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_XFRM);
    if (descriptor < 0) return -1;
    if (sendto(descriptor, &request, sizeof request, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0)
        return closing(descriptor, -1);
    if (recv(descriptor, answer, sizeof answer, MSG_DONTWAIT) < 0) return closing(descriptor, -1);
    errno = -((struct nlmsgerr *)NLMSG_DATA((struct nlmsghdr *)answer))->error;
    return closing(descriptor, errno ? -1 : 0);
}

/* The threads of the host and of the supervisor, one of which has rights over files. */
static int a_trace_thread(void) { return (int)ptrace(PTRACE_SEIZE, thread, 0, 0); }
static int a_trace_broker(void) { return (int)ptrace(PTRACE_SEIZE, find_thread(getppid()), 0, 0); }
static int read_of(pid_t pid) {
    char word[8];
    struct iovec here = {word, 8}, there = {(void *)word, 8};
    return syscall(SYS_process_vm_readv, pid, &here, 1, &there, 1, 0) < 0 ? -1 : 0;
}
static int a_memory_of_thread(void) { return read_of(thread); }
static int a_memory_of_broker(void) { return read_of(find_thread(getppid())); }
static int a_memory_by_task(void) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/task/%d/mem", (int)host, (int)thread);
    return opens(path, O_RDWR);
}
static int a_signal_broker(void) { return (int)syscall(SYS_tkill, find_thread(getppid()), SIGURG); }
static int a_signal_broker_of_group(void) {
    return (int)syscall(SYS_tgkill, getppid(), find_thread(getppid()), SIGURG);
}
static int a_clock_of_thread(void) { return (int)syscall(SYS_sched_setaffinity, thread, 8, &(unsigned long){1}); }
static int a_limit_of_thread(void) {
    return prlimit(thread, RLIMIT_NOFILE, &(struct rlimit){10, 10}, NULL);
}
static int a_last_breath(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == 1 ? 0 : (errno = EPERM, -1); }
static int a_timer_of_thread(void) {
    struct sigevent event = {.sigev_notify = 4 /* SIGEV_THREAD_ID */, .sigev_signo = SIGURG};
    timer_t timer;
    event._sigev_un._tid = thread;
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}
static int a_timer_on_clock(void) {
    timer_t timer;
    clockid_t clock;
    if (clock_getcpuclockid(host, &clock) != 0) return errno = EPERM, -1;
    return timer_create(clock, NULL, &timer) == 0 && timer_delete(timer) == 0 ? (errno = EPERM, -1) : -1;
}
static int a_secret_memory(void) {
    /* It can't be swapped out, so the limit on locked memory applies. */
    int descriptor = (int)syscall(447 /* memfd_secret */, 0);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, 1 << 30) != 0) return closing(descriptor, -1);
    void *memory = mmap(NULL, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) munmap(memory, 1 << 30);
    return closing(descriptor, memory == MAP_FAILED ? -1 : 0);
}
static int a_queue_of_host(void) { return (int)syscall(SYS_mq_open, "lull", O_RDWR, 0, NULL) ; }
static int a_watch_of_mount(void) {
    int descriptor = (int)syscall(SYS_fanotify_init, 0x200 /* FAN_REPORT_FID */, O_RDONLY);
    if (descriptor < 0) return -1;
    return closing(descriptor, (int)syscall(SYS_fanotify_mark, descriptor, 0x101 /* a file system */, 0x20, AT_FDCWD, "/"));
}
static int a_permission_of_others(void) {
    int descriptor = (int)syscall(SYS_fanotify_init, 0x4 /* FAN_CLASS_CONTENT */ | 0x200, O_RDONLY);
    return closing(descriptor, descriptor);
}
static int a_namespace_by_file(void) {
    int descriptor = open("/proc/1/ns/mnt", O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? -1 : closing(descriptor, (int)syscall(SYS_setns, descriptor, 0));
}
static int a_swap_made(void) { return (int)syscall(SYS_swapon, own, 0); }
static int a_module_from_file(void) {
    int descriptor = open(own, O_RDONLY | O_CLOEXEC);
    return closing(descriptor, (int)syscall(SYS_finit_module, descriptor, "", 0));
}

/* Takes from the total of requests that all programs of the machine may have under way. */
static int a_requests_of_all(void) {
    unsigned long context = 0;
    return (int)syscall(SYS_io_setup, 64, &context);
}

#endif
