/* The process that transfers: how it is started, which user it becomes, and how its files get to the disk. */
#ifndef LULL_TRANSFER_SHIMS_H
#define LULL_TRANSFER_SHIMS_H

#include <stdint.h>
#include <sys/types.h>

/* Runs `executable` with `mark` as its one argument, with /dev/null as input and output, `error` and `socket` as descriptors 2 and 3, and no other, default signals
   and this environment. It has a process group of its own and stays in this session: a child in another
   session counts as left by a worker. 0, or an errno. */
int lull_spawn_transfer(const char *executable, const char *mark, char *const environment[], int error, int socket, pid_t *pid);

/* Becomes this user and group, in no other group. 0, or an errno. */
int lull_become_numbers(uint32_t user, uint32_t group);

/* No core is dumped, and nobody else of the same user may trace this process. */
void lull_hide_process(void);

/* Has the kernel begin to write these bytes to the disk; waits for nothing. */
void lull_write_back(int descriptor, long long offset, long long bytes);

#endif
