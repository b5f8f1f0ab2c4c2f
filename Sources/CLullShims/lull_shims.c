#define _GNU_SOURCE
#include "lull_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/xattr.h>

int lull_has_access_list(int descriptor) {
    /* A descriptor of O_PATH has no attributes to ask for; what stands in /proc for it has. */
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
