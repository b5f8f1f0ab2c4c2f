/* What Swift can't import: variadic and missing system calls. */
#ifndef LULL_SHIMS_H
#define LULL_SHIMS_H

/* Whether the file of a descriptor, also of one of O_PATH, has an access list (ACL). No where that is not known. */
int lull_has_access_list(int descriptor);

/* Reserves the first `bytes` of the file on the disk, without making it longer. 0, or an errno. */
int lull_set_aside(int descriptor, long long bytes);

/* Has a thread read and write only when nobody else uses the disk. 0, or an errno. */
int lull_idle_io(int thread);

/* Gives back freed memory, and the pages of code that have been run: code that runs on maps its pages again. */
void lull_give_back_memory(void);

#endif
