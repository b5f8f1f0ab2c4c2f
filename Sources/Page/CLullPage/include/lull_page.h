/* The files of the page, in the binary, so that what is installed is one file. As C, for the Swift compiler takes ten
   seconds for so many bytes. */
#ifndef LULL_PAGE_H
#define LULL_PAGE_H

#include <stddef.h>
/* For Gzip.swift: Swift has no module of it. */
#include <zlib.h>

typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} lull_page_file;

/* All of them, for as long as the process lives. */
const lull_page_file *lull_page_files(size_t *count);

#endif
