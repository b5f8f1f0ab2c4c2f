/*
 * Open files that other processes pass over a socket. Closing the last descriptor of one may take any time: a connection that
 * lingers, a file of a server that is gone. The host's loop never waits for that.
 */
#ifndef LULL_PASSING_SHIMS_H
#define LULL_PASSING_SHIMS_H

#include <stddef.h>
#include <sys/types.h>

/* Has the kernel refuse open files that are passed to this socket or those that it accepts, where it can (Linux 6.16). */
void lull_refuse_descriptors(int socket);

/* As recv; passed files are closed on other threads, and then it is -EPROTO. Or another negated errno. */
ssize_t lull_receive_alone(int descriptor, void *bytes, size_t capacity, int flags);

/* Closes a socket in which passed files may wait, without waiting until those are closed. */
void lull_close_foreign(int socket);

/* Closes a descriptor on a thread of its own, for that may take long. */
void lull_close_apart(int descriptor);

#endif
