#define _GNU_SOURCE
#include "lull_control_shims.h"

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
