/*
 * Open files that others pass over a socket. Whoever closes the last of one may have to wait as long as they like: a connection that
 * lingers, a file of a server that is gone. The host's loop never does.
 */
#ifndef LULL_PASSING_SHIMS_H
#define LULL_PASSING_SHIMS_H

#include <stddef.h>
#include <sys/types.h>

/* Nobody can pass open files to this socket, or to what it accepts, where the kernel can refuse that (Linux 6.16). */
void lull_refuse_descriptors(int socket);

/* As recv; what was passed along is closed elsewhere, and then it is -EPROTO. Or another negated errno. */
ssize_t lull_receive_alone(int descriptor, void *bytes, size_t capacity, int flags);

/* Closes a socket in which passed files may wait, without waiting for theirs. */
void lull_close_foreign(int socket);

/* Closes what may take its time, on a thread of its own. */
void lull_close_apart(int descriptor);

#endif
