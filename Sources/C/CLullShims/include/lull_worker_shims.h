/* Processes, their sockets and their ends: what Swift's Glibc module leaves out or can't call. */
#ifndef LULL_WORKER_SHIMS_H
#define LULL_WORKER_SHIMS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A pair of connected SOCK_SEQPACKET sockets, closed on exec; the first does not block. `buffer_bytes` 0: as much as is usual.
   0, or an errno. */
int lull_frame_sockets(int ends[2], int buffer_bytes);

/* A pipe, closed on exec; its reading end does not block. 0, or an errno. */
int lull_output_pipe(int ends[2]);

/* A file in memory, without a name, closed on exec; or the negated errno. */
int lull_memory_file(void);

/* Sends one datagram without SIGPIPE. Bytes sent, or the negated errno. */
ssize_t lull_send(int descriptor, const void *bytes, size_t count, int waits);

/* Receives one datagram: its whole length, even when `capacity` is less; 0 at the end; or the negated errno. */
ssize_t lull_receive(int descriptor, void *bytes, size_t capacity, int waits);

/* Whether the other side of a socket is gone. */
int lull_is_hung_up(int descriptor);

/* Waits until the descriptor is readable or `milliseconds` have passed. Whether it is readable. */
int lull_wait_readable(int descriptor, int milliseconds);

/* Runs `executable` in a session of its own with /dev/null, two pipes, two sockets and, if it is not negative, `group` as
   descriptors 0 to 5 and no other, default signals, and of the environment only what is harmless, and `marker`.
   0, or an errno. */
int lull_spawn(
    const char *executable, const char *marker, int output, int error, int socket, int link, int group, pid_t *pid);

/* Runs a program, looked up in PATH unless it is a path, in a session of its own with these three descriptors, /dev/null for a
   negative one, and no other, and default signals. 0, or an errno. */
int lull_spawn_program(char *const words[], char *const environment[], const int streams[3], pid_t *pid);

/* A descriptor for a process, closed on exec; or the negated errno. */
int lull_pidfd(pid_t pid);
int lull_pidfd_signal(int pidfd, int signal);

/* How a child ended: 1 and `status` as waitpid gives it; 0 when it has not; the negated errno when it is no child.
   `keeps`: it stays a zombie, so that its pid can't be reused. */
int lull_reap(int pidfd, int keeps, int *status);

/* The same for a child by its number. */
int lull_reap_pid(pid_t pid, int keeps, int *status);

/* What an ended child and all children that it has waited for have used: processor time in microseconds, the most memory of one
   of them and what storage has read and written in bytes. */
struct lull_used {
    int64_t microseconds, peak, read, written;
};

/* Whether the child has ended and is not reaped yet; it stays a zombie. */
int lull_used_by_ended(pid_t pid, struct lull_used *used);

/* Orphans among this process's descendants become its children. */
int lull_become_subreaper(void);

/* Standard output is written at once, also into a pipe: a crash or a kill loses none of it. */
void lull_print_at_once(void);
void lull_flush_output(void);

/* The build id of the loaded object that holds `address`: its length, 0 when it has none. */
size_t lull_build_id(const void *address, uint8_t *bytes, size_t capacity);

/* Sends wait no longer than this. */
int lull_limit_sends(int descriptor, int milliseconds);

/* The number of the calling thread. */
uint64_t lull_thread(void);

#endif
