#define _GNU_SOURCE
#include "lull_passing_shims.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/* SCM_MAX_FD: the kernel takes no more with one message. */
enum { MOST_PASSED = 253 };

static atomic_bool is_refused_by_kernel;

void lull_refuse_descriptors(int socket) {
    int no = 0;
    if (setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0) atomic_store(&is_refused_by_kernel, 1);
}

static void *close_one(void *descriptor) {
    close((int)(intptr_t)descriptor);
    return NULL;
}

void lull_close_apart(int descriptor) {
    pthread_attr_t attributes;
    pthread_t thread;
    int fault = pthread_attr_init(&attributes);
    if (!fault) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, 64 << 10);
        fault = pthread_create(&thread, &attributes, close_one, (void *)(intptr_t)descriptor);
        pthread_attr_destroy(&attributes);
    }
    /* Without a thread it stays open: that costs a descriptor, and does not block the host. */
}

void lull_close_foreign(int socket) {
    if (atomic_load(&is_refused_by_kernel)) {
        close(socket);
    } else {
        lull_close_apart(socket);
    }
}

ssize_t lull_receive_alone(int descriptor, void *bytes, size_t capacity, int flags) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * MOST_PASSED)];
    } control;
    struct iovec words = {bytes, capacity};
    struct msghdr message = {.msg_iov = &words, .msg_iovlen = 1};
    ssize_t length;
    do {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        length = recvmsg(descriptor, &message, flags | MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length < 0) return -errno;
    int has_more = 0;
    for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int passed;
            memcpy(&passed, CMSG_DATA(one) + i * sizeof passed, sizeof passed);
            lull_close_apart(passed);
        }
        has_more = 1;
    }
    return has_more || message.msg_flags & MSG_CTRUNC ? -EPROTO : length;
}
