#define _GNU_SOURCE
#include "mirror_files.h"

#include "mirror_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 << 10 };

static ssize_t read_some(int file, void *bytes, size_t count)
{
    ssize_t got;
    do
        got = read(file, bytes, count);
    while (got < 0 && errno == EINTR);
    return got;
}

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            count -= (size_t)done;
        }
    }
    return true;
}

int file_digest(const char *path, char text[65], should_stop stop, const void *context)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return errno;
    char piece[PIECE_BYTES];
    digest digest;
    digest_begin(&digest);
    ssize_t count;
    int error = 0;
    while (error == 0 && (count = read_some(file, piece, sizeof piece)) != 0) {
        if (count < 0)
            error = errno;
        else if (stop(context))
            error = ECANCELED;
        else
            digest_add(&digest, piece, (size_t)count);
    }
    close(file);
    if (error == 0)
        digest_end(&digest, text);
    return error;
}

/* Makes durable what was renamed or made in the file's folder. */
static bool sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    return is_synced;
}

/* Readable by all, like a file that is made by hand: the folder's rights decide who can reach it. */
enum { MODE = 0644 };

/* Makes a copy named `to`, on its disk and synced; removes first what a stopped copy left. */
static bool copy(const char *from, const char *to, should_stop stop, const void *context)
{
    unlink(to);
    int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int target = source < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE);
    char piece[PIECE_BYTES];
    ssize_t count = -1;
    bool is_well = target >= 0;
    while (is_well && (count = read_some(source, piece, sizeof piece)) > 0) {
        is_well = write_all(target, piece, (size_t)count);
        if (is_well && stop(context)) {
            is_well = false;
            errno = ECANCELED;
        }
    }
    is_well = is_well && count == 0 && fchmod(target, MODE) == 0 && fsync(target) == 0;
    int error = errno;
    if (source >= 0)
        close(source);
    if (target >= 0)
        close(target);
    if (target >= 0 && !is_well)
        unlink(to);
    errno = error;
    return is_well;
}

/* Renames the file to `to`, or copies it if the disk is another. */
static bool bring(const char *from, const char *to, should_stop stop, const void *context)
{
    if (chmod(from, MODE) == 0 && rename(from, to) == 0)
        return true;
    return errno == EXDEV && copy(from, to, stop, context);
}

static bool are_same(const char *from, const char *to, should_stop stop, const void *context)
{
    struct stat one, other;
    if (stat(from, &one) != 0 || lstat(to, &other) != 0 || !S_ISREG(other.st_mode)
        || one.st_size != other.st_size)
        return false;
    char first[DIGEST_TEXT], second[DIGEST_TEXT];
    return file_digest(from, first, stop, context) == 0 && file_digest(to, second, stop, context) == 0
           && strcmp(first, second) == 0;
}

/* Moves each older version on by one. The newest stays where it is as well, so that it is never away. */
static bool rotate(const char *to, unsigned keep)
{
    char older[PATH_BYTES + 16], oldest[PATH_BYTES + 16];
    struct stat now, first;
    snprintf(older, sizeof older, "%s.1", to);
    if (keep == 0 || lstat(to, &now) != 0)
        return keep == 0 || errno == ENOENT;
    /* An earlier run has rotated already, and was ended after that. */
    if (lstat(older, &first) == 0 && first.st_dev == now.st_dev && first.st_ino == now.st_ino)
        return true;
    for (unsigned i = keep - 1; i > 0; i--) {
        snprintf(older, sizeof older, "%s.%u", to, i);
        snprintf(oldest, sizeof oldest, "%s.%u", to, i + 1);
        if (rename(older, oldest) != 0 && errno != ENOENT)
            return false;
    }
    snprintf(older, sizeof older, "%s.1", to);
    if (unlink(older) != 0 && errno != ENOENT)
        return false;
    /* Not every file system has a second name for a file. */
    return link(to, older) == 0 || rename(to, older) == 0;
}

bool file_place(const char *from, const char *to, unsigned keep, bool *is_same, char *cause,
                should_stop stop, const void *context)
{
    char ready[PATH_BYTES + 16];
    if (snprintf(ready, sizeof ready, "%s.new", to) >= PATH_BYTES) {
        snprintf(cause, CAUSE_BYTES, "the path \"%.64s…\" is too long", to);
        return false;
    }
    *is_same = are_same(from, to, stop, context);
    if (*is_same)
        return true;
    /* An earlier run may have been ended after it had brought the file: then `from` is gone, and `ready` is whole. */
    struct stat status;
    bool is_brought = lstat(from, &status) != 0 && errno == ENOENT && lstat(ready, &status) == 0;
    if ((is_brought || bring(from, ready, stop, context)) && rotate(to, keep) && rename(ready, to) == 0 && sync_folder_of(to))
        return true;
    int error = errno;
    snprintf(cause, CAUSE_BYTES, "\"%s\" can't be written: %s%s", to, strerror(error),
             error == EACCES || error == EROFS || error == EPERM
                 ? ". Let the app write there: `limits: { write: [FOLDER] }` and the folder's own rights"
             : error == ENOENT ? ". Make its folder"
                               : "");
    return false;
}

bool file_write(const char *path, const char *text)
{
    char ready[PATH_BYTES + 16];
    snprintf(ready, sizeof ready, "%s.new", path);
    int file = open(ready, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool is_well = file >= 0 && write_all(file, text, strlen(text)) && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return is_well && rename(ready, path) == 0 && sync_folder_of(path);
}

bool file_read(const char *path, char *text, size_t capacity)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return false;
    size_t used = 0;
    ssize_t count;
    while (used + 1 < capacity && (count = read_some(file, text + used, capacity - 1 - used)) > 0)
        used += (size_t)count;
    close(file);
    text[used] = '\0';
    return true;
}
