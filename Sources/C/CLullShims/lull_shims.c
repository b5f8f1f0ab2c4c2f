#define _GNU_SOURCE
#include "lull_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int lull_has_access_list(int descriptor) {
    /* The attributes of an O_PATH descriptor can be read only through its path in /proc. */
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

int lull_set_aside(int descriptor, long long bytes) {
    int result;
    do result = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int lull_idle_io(int thread) {
    /* Of one thread (1), the class idle (3) above its 13 bits of data: the C library has no names for these. */
    return syscall(SYS_ioprio_set, 1, thread, 3 << 13) == 0 ? 0 : errno;
}

/* Code and constants are never written to, so unmapped pages of them are mapped again from their file, or from its cache, on
   the next access. */
static int unmap_constants(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    if (strstr(object->dlpi_name, "vdso")) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        unsigned long page = (unsigned long)getpagesize();
        unsigned long start = object->dlpi_addr + part->p_vaddr;
        unsigned long first = start & ~(page - 1);
        unsigned long end = (start + part->p_memsz + page - 1) & ~(page - 1);
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
    return 0;
}

void lull_give_back_memory(void) {
    malloc_trim(0);
    dl_iterate_phdr(unmap_constants, NULL);
}
