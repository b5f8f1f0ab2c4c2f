/* What the control socket needs and Swift's Glibc module hides behind _GNU_SOURCE. */
#ifndef LULL_CONTROL_SHIMS_H
#define LULL_CONTROL_SHIMS_H

#include <stdint.h>

/* accept4 with SOCK_CLOEXEC | SOCK_NONBLOCK. */
int lull_accept(int listener);

/* The effective user and the process of the other side when it connected (SO_PEERCRED). 0, or -1 with errno. */
int lull_peer(int descriptor, uint32_t *uid, int32_t *pid);

/* Whether the other side was in the group when it connected (SO_PEERCRED, SO_PEERGROUPS). 1, or 0. */
int lull_peer_is_in(int descriptor, uint32_t gid);

#endif
