#define _GNU_SOURCE
#include "lull_control_shims.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

int lull_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int lull_peer(int descriptor, uint32_t *uid, int32_t *pid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *uid = peer.uid;
    *pid = peer.pid;
    return 0;
}

int lull_peer_is_in(int descriptor, uint32_t gid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return 0;
    if (peer.gid == gid) return 1;
    /* The first call says how long the list is. */
    length = 0;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, 0, &length) == 0 || errno != ERANGE) return 0;
    gid_t *groups = malloc(length);
    int is_in = 0;
    if (groups && getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) == 0)
        for (size_t i = 0; i < length / sizeof *groups; i++) is_in |= groups[i] == gid;
    free(groups);
    return is_in;
}
