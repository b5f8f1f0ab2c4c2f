#define _GNU_SOURCE
#include "lull_files_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Above this a second name is better than a copy: many apps write one upload after the other under one name, but hardly so
   large ones. */
static const off_t long_file = 64 << 20;

static int write_all(int target, const char *bytes, ssize_t count) {
    while (count > 0) {
        ssize_t written = write(target, bytes, (size_t)count);
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) {
            bytes += written;
            count -= written;
        }
    }
    return 0;
}

static int copy_bytes(int source, int target) {
    char buffer[64 << 10];
    for (;;) {
        ssize_t got = read(source, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) return 0;
        int code = write_all(target, buffer, got);
        if (code != 0) return code;
    }
}

static int copy(int source, int target) {
    for (;;) {
        ssize_t copied = copy_file_range(source, NULL, target, NULL, 1 << 30, 0);
        if (copied > 0) continue;
        /* The rest by hand: at its end there is none, and some file systems say so of files that have more. */
        if (copied == 0 || errno != ENOSPC) return copy_bytes(source, target);
        return errno;
    }
}

/* Links an open file under a name; fails where the kernel forbids it, and on another file system. */
static int second_name(int source, const struct stat *status, int folder, const char *name) {
    if (status->st_uid != geteuid()) return EPERM;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", source);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int lull_take_over(int source, int folder, const char *name) {
    struct stat status;
    if (fstat(source, &status) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    int target = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (target < 0) return errno;
    int code = 0;
    if (ioctl(target, FICLONE, source) != 0) {
        int is_linked = 0;
        if (status.st_size > long_file && unlinkat(folder, name, 0) == 0) {
            is_linked = second_name(source, &status, folder, name) == 0;
            if (!is_linked) {
                close(target);
                target = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
                if (target < 0) return errno;
            }
        }
        if (!is_linked) code = copy(source, target);
        else if (fsync(source) != 0) code = errno;
    }
    if (code == 0 && fsync(target) != 0) code = errno;
    close(target);
    if (code == 0 && fsync(folder) != 0) code = errno;
    if (code != 0) unlinkat(folder, name, 0);
    return code;
}
