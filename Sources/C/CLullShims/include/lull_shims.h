/* What Swift can't import: variadic and missing system calls. */
#ifndef LULL_SHIMS_H
#define LULL_SHIMS_H

/* Whether what the descriptor leads to, which may be one of O_PATH, has an access list (ACL). Where that can't be told, no. */
int lull_has_access_list(int descriptor);

/* Has the first `bytes` of the file lie on the disk, without making it longer. 0, or why not, as of errno. */
int lull_set_aside(int descriptor, long long bytes);

/* Gives back freed memory, and the pages of code that have been run: what runs on maps its own again. */
void lull_give_back_memory(void);

#endif
