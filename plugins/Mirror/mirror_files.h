/* Mirror's work on files: compares them, and puts a new version in the place of an old one. */
#ifndef MIRROR_FILES_H
#define MIRROR_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* No other library in the worker is to meet these names. */
#pragma GCC visibility push(hidden)

enum { PATH_BYTES = 4096, CAUSE_BYTES = 4608 };

/* Asked between pieces of long work; true: it is to stop. */
typedef bool (*should_stop)(const void *context);

/* The digest of a file, as hexadecimal digits. 0, or an errno; ECANCELED: it was to stop. */
int file_digest(const char *path, char text[65], should_stop stop, const void *context);

/* Puts the file `from` in the place of `to`, whole or not at all, and durably. The `keep` versions before it
   stay as `to`.1, `to`.2 and so on, the newest first. A file with the same bytes is no new version: `is_same`.
   On failure `cause` has a sentence without a full stop. */
bool file_place(const char *from, const char *to, unsigned keep, bool *is_same, char *cause,
                should_stop stop, const void *context);

/* Writes a small file, whole or not at all. */
bool file_write(const char *path, const char *text);

/* At most `capacity` - 1 bytes of a small file, with a NUL; false: it can't be read. */
bool file_read(const char *path, char *text, size_t capacity);

#pragma GCC visibility pop

#endif
