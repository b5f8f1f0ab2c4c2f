/* Files that are taken over without being moved. */
#ifndef LULL_FILES_SHIMS_H
#define LULL_FILES_SHIMS_H

/* Gives `folder` a new file `name` with what the regular file `source` holds: it shares the blocks where the file system can,
   is a copy where it is small, else a second name of the same file, and else a copy. Only the owner may read it, and it is
   durable when this returns. 0, or an errno, and then there is no such file. */
int lull_take_over(int source, int folder, const char *name);

#endif
