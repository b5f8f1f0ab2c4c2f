/* Acts on the kernel that no other plugin tries: its network by messages, memory of the machine, old calls. */
#ifndef ASSAULT_KERNEL_H
#define ASSAULT_KERNEL_H

#include "assault_processes.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

struct request {
    struct nlmsghdr header;
    char room[512];
};

/* The kernel's answer; 0: success. */
static int ask(int family, struct request *request) {
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char room[1024];
    } answer = {.error = {.error = -EPERM}};
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);
    if (descriptor < 0) return -1;
    request->header.nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
    ssize_t sent = sendto(
        descriptor, request, request->header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel);
    if (sent < 0) return closing(descriptor, -1);
    recv(descriptor, &answer, sizeof answer, 0);
    errno = answer.header.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
    return closing(descriptor, errno ? -1 : 0);
}
static int routes(int type, size_t body) {
    struct request request = {.header = {.nlmsg_len = (uint32_t)NLMSG_LENGTH(body), .nlmsg_type = (uint16_t)type}};
    request.room[0] = AF_INET;
    if (type == RTM_NEWQDISC) ((struct tcmsg *)request.room)->tcm_ifindex = 1;
    if (type == RTM_NEWADDR) ((struct ifaddrmsg *)request.room)->ifa_index = 1;
    return ask(NETLINK_ROUTE, &request);
}
static int a_route(void) { return routes(RTM_DELROUTE, sizeof(struct rtmsg)); }
static int a_rule(void) { return routes(RTM_NEWRULE, sizeof(struct rtmsg)); }
static int a_address(void) { return routes(RTM_NEWADDR, sizeof(struct ifaddrmsg)); }
static int a_queue(void) { return routes(RTM_NEWQDISC, sizeof(struct tcmsg)); }
static int a_neighbour(void) { return routes(RTM_DELNEIGH, sizeof(struct ndmsg)); }
static int a_packet_filter(void) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(4), .nlmsg_type = 10 << 8}};
    return ask(NETLINK_NETFILTER, &request);
}
/* The app's own connection: a process that may destroy it may destroy all. */
static int a_connection_ended(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0
        || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return closing(listener, -1);
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(56), .nlmsg_type = 21 /* SOCK_DESTROY */}};
    request.room[0] = AF_INET;
    request.room[1] = IPPROTO_TCP;
    memset(request.room + 4, 0xff, 4);
    memcpy(request.room + 8, &address.sin_port, 2);
    memcpy(request.room + 12, &address.sin_addr, 4);
    memset(request.room + 48, 0xff, 8);
    return closing(listener, ask(4 /* NETLINK_SOCK_DIAG */, &request));
}
/* Forges messages to the host's sockets for routes and devices. */
static int forge(int family) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)), .nlmsg_type = RTM_NEWROUTE}};
    struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_pid = (uint32_t)host};
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);
    if (descriptor < 0) return -1;
    ssize_t sent = sendto(descriptor, &request, request.header.nlmsg_len, 0, (struct sockaddr *)&to, sizeof to);
    if (sent < 0 && errno == ECONNREFUSED) sent = 0; /* Sent, and nobody was there. */
    return closing(descriptor, sent < 0 ? -1 : 0);
}
static int a_forged_route(void) { return forge(NETLINK_ROUTE); }
static int a_forged_event(void) { return forge(15 /* NETLINK_KOBJECT_UEVENT */); }
static int a_forged_to_all(void) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)), .nlmsg_type = RTM_NEWROUTE}};
    struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_groups = 0x40 /* RTMGRP_IPV4_ROUTE */};
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    ssize_t sent = sendto(descriptor, &request, request.header.nlmsg_len, 0, (struct sockaddr *)&to, sizeof to);
    return closing(descriptor, sent < 0 ? -1 : 0);
}

static void *page(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}
static int a_poisoned_page(void) { return madvise(page(), 4096, 100 /* MADV_HWPOISON */); }
static int a_page_offline(void) { return madvise(page(), 4096, 101 /* MADV_SOFT_OFFLINE */); }
static int a_locked_memory(void) {
    size_t size = (size_t)1 << 30;
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int result = memory == MAP_FAILED ? -1 : mlock(memory, size), fault = errno;
    if (memory != MAP_FAILED) munmap(memory, size);
    errno = fault;
    return result;
}
static int a_low_memory(void) {
    void *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return low == MAP_FAILED ? -1 : 0;
}
static int a_layout(void) { return prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0); }
static int a_flusher(void) { return prctl(57 /* PR_SET_IO_FLUSHER */, 1, 0, 0, 0); }
static int a_dumps_nothing(void) {
    /* A setuid program's memory would be readable. */
    return prctl(PR_SET_DUMPABLE, 2, 0, 0, 0);
}
static int a_old_calls(void) {
    static const long calls[] = {134 /* uselib */, 156 /* _sysctl */, 174 /* create_module */, 180 /* nfsservctl */,
                                 212 /* lookup_dcookie */};
    int result = -1;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && result < 0; i++) result = (int)syscall(calls[i], 0, 0, 0);
    return result;
}
static int a_beat(void) { return (int)syscall(SYS_settimeofday, &(struct timeval){1, 0}, NULL); }
static int a_domain_name(void) { return (int)syscall(SYS_setdomainname, "assault", 7); }
static int a_shared_keys(void) { return (int)syscall(250 /* keyctl */, 0, -4 /* user keyring */, 1); }
static int a_crypto_accelerator(void) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(256), .nlmsg_type = 0x11 /* CRYPTO_MSG_DELALG */}};
    return ask(21 /* NETLINK_CRYPTO */, &request);
}
/* Ways off the machine other than TCP and UDP, for apps that may have no network. */
static int family(int number, int type) {
    int descriptor = socket(number, type | SOCK_CLOEXEC, 0);
    return closing(descriptor, descriptor);
}
static int n_virtual_machine(void) { return family(40 /* AF_VSOCK */, SOCK_STREAM); }
static int n_cluster(void) { return family(30 /* AF_TIPC */, SOCK_RDM); }
static int n_cluster_pair(void) {
    int ends[2];
    if (socketpair(30, SOCK_RDM | SOCK_CLOEXEC, 0, ends) != 0) return errno == EACCES ? -1 : 0;
    close(ends[0]);
    return closing(ends[1], 0);
}
static int n_bus_of_cars(void) { return family(29 /* AF_CAN */, SOCK_RAW); }
static int n_radio(void) { return family(31 /* AF_BLUETOOTH */, SOCK_RAW); }
static int n_express(void) { return family(44 /* AF_XDP */, SOCK_RAW); }
static int n_shared_memory(void) { return family(43 /* AF_SMC */, SOCK_STREAM); }
static int n_many_paths(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 262 /* IPPROTO_MPTCP */);
    return closing(descriptor, descriptor);
}
static int n_first_data(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    sendto(descriptor, "x", 1, MSG_FASTOPEN | MSG_DONTWAIT, (struct sockaddr *)&to, sizeof to);
    return closing(descriptor, 0);
}

#endif
