#include "faulty_disk.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* What SQLite holds of a file: ours in front, the real one behind. */
struct file {
    sqlite3_file base;
    int number;
    int code; /* of the last call that failed */
    int syncs_names; /* the next sync is followed by one of the folder, as SQLite's own VFS does */
    sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    faulty_step *at;
    int64_t count, room;
} steps;
static struct {
    int call, code;
    int64_t after, times, failed;
} fault;
static char folder[4096];
static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

/* Of files outside of the folder. */
enum { PASSED = -1 };

static void note(int kind, int number, int64_t offset, int64_t length, const void *bytes) {
    if (number == PASSED) return;
    uint8_t *copy = NULL;
    if (bytes && length > 0) {
        copy = malloc((size_t)length);
        if (!copy) abort();
        memcpy(copy, bytes, (size_t)length);
    }
    pthread_mutex_lock(&lock);
    if (steps.count == steps.room) {
        steps.room = steps.room ? steps.room * 2 : 1024;
        steps.at = realloc(steps.at, (size_t)steps.room * sizeof *steps.at);
        if (!steps.at) abort();
    }
    steps.at[steps.count++] =
        (faulty_step){.kind = kind, .file = number, .offset = offset, .length = length, .bytes = copy};
    pthread_mutex_unlock(&lock);
}

/* Whether this call is to fail; errno says how. */
static int fails(int number, int call) {
    int code = 0;
    if (number == PASSED) return 0;
    pthread_mutex_lock(&lock);
    if (fault.times > 0 && (fault.call == FAULTY_ANY || fault.call == call)) {
        if (fault.after > 0) {
            fault.after--;
        } else {
            fault.times--;
            fault.failed++;
            code = fault.code;
        }
    }
    pthread_mutex_unlock(&lock);
    if (code) errno = code;
    return code != 0;
}

static struct file *of(sqlite3_file *file) { return (struct file *)file; }
static sqlite3_file *real(sqlite3_file *file) { return of(file)->real; }

static int failed(sqlite3_file *file, int result) {
    of(file)->code = fault.code;
    return result;
}

static int do_close(sqlite3_file *file) {
    int result = real(file)->pMethods ? real(file)->pMethods->xClose(real(file)) : SQLITE_OK;
    free(real(file));
    return result;
}
static int do_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, length, offset);
}
static int do_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    if (fails(of(file)->number, FAULTY_WRITES)) {
        /* A disk that fails may have taken a part. */
        int part = length / 2 / 512 * 512;
        if (part > 0) {
            real(file)->pMethods->xWrite(real(file), bytes, part, offset);
            note(FAULTY_WRITE, of(file)->number, offset, part, bytes);
        }
        return fault.code == ENOSPC ? SQLITE_FULL : failed(file, SQLITE_IOERR_WRITE);
    }
    note(FAULTY_WRITE, of(file)->number, offset, length, bytes);
    return real(file)->pMethods->xWrite(real(file), bytes, length, offset);
}
static int do_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(of(file)->number, FAULTY_WRITES)) return failed(file, SQLITE_IOERR_TRUNCATE);
    note(FAULTY_TRUNCATE, of(file)->number, 0, size, NULL);
    return real(file)->pMethods->xTruncate(real(file), size);
}
static int do_sync(sqlite3_file *file, int flags) {
    if (fails(of(file)->number, FAULTY_SYNCS)) return failed(file, SQLITE_IOERR_FSYNC);
    int result = real(file)->pMethods->xSync(real(file), flags);
    if (result != SQLITE_OK) return result;
    note(FAULTY_SYNC, of(file)->number, 0, 0, NULL);
    if (of(file)->syncs_names) note(FAULTY_SYNC_NAMES, of(file)->number, 0, 0, NULL);
    of(file)->syncs_names = 0;
    return SQLITE_OK;
}
static int do_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int do_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int do_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int do_check(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int do_control(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_LAST_ERRNO && of(file)->code) {
        *(int *)argument = of(file)->code;
        return SQLITE_OK;
    }
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int do_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
/* No promises beyond those of any disk: what the real file system promises must not hide a missing sync. */
static int do_traits(sqlite3_file *file) {
    (void)file;
    return 0;
}
static int do_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, address);
}
static int do_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void do_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int do_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = do_close,
    .xRead = do_read,
    .xWrite = do_write,
    .xTruncate = do_truncate,
    .xSync = do_sync,
    .xFileSize = do_size,
    .xLock = do_lock,
    .xUnlock = do_unlock,
    .xCheckReservedLock = do_check,
    .xFileControl = do_control,
    .xSectorSize = do_sector,
    .xDeviceCharacteristics = do_traits,
    .xShmMap = do_map,
    .xShmLock = do_shm_lock,
    .xShmBarrier = do_barrier,
    .xShmUnmap = do_unmap,
};

static int is_ours(const char *path) {
    return path && strncmp(path, folder, strlen(folder)) == 0 && path[strlen(folder)] == '/';
}

static int number_of(const char *path) {
    const char *suffix = strrchr(path, '-');
    if (suffix && strcmp(suffix, "-wal") == 0) return 1;
    if (suffix && strcmp(suffix, "-journal") == 0) return 2;
    const char *name = strrchr(path, '/');
    return name && strcmp(name, "/history.sqlite") == 0 ? 0 : 3;
}

static int do_open(sqlite3_vfs *own, const char *path, sqlite3_file *result, int flags, int *out) {
    (void)own;
    struct file *file = (struct file *)result;
    memset(file, 0, sizeof *file);
    file->real = calloc(1, (size_t)real_vfs->szOsFile);
    if (!file->real) return SQLITE_NOMEM;
    int exists = 0;
    if (path) real_vfs->xAccess(real_vfs, path, SQLITE_ACCESS_EXISTS, &exists);
    int code = real_vfs->xOpen(real_vfs, path, file->real, flags, out);
    if (code != SQLITE_OK) {
        free(file->real);
        return code;
    }
    if (!is_ours(path)) {
        file->number = PASSED;
    } else {
        file->number = number_of(path);
        if (!exists && (flags & SQLITE_OPEN_CREATE)) {
            note(FAULTY_CREATE, file->number, 0, 0, NULL);
            file->syncs_names = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
        }
    }
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static int do_delete(sqlite3_vfs *own, const char *path, int syncs) {
    (void)own;
    int code = real_vfs->xDelete(real_vfs, path, syncs);
    if (code == SQLITE_OK && is_ours(path)) {
        note(FAULTY_DELETE, number_of(path), 0, 0, NULL);
        if (syncs) note(FAULTY_SYNC_NAMES, number_of(path), 0, 0, NULL);
    }
    return code;
}

int faulty_disk_install(const char *path) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs || strlen(path) >= sizeof folder) return SQLITE_ERROR;
    strcpy(folder, path);
    vfs = *real_vfs;
    vfs.zName = "faulty";
    vfs.pNext = NULL;
    vfs.szOsFile = sizeof(struct file);
    vfs.xOpen = do_open;
    vfs.xDelete = do_delete;
    return sqlite3_vfs_register(&vfs, 1);
}

int64_t faulty_disk_count(void) {
    pthread_mutex_lock(&lock);
    int64_t count = steps.count;
    pthread_mutex_unlock(&lock);
    return count;
}

faulty_step faulty_disk_step(int64_t index) {
    pthread_mutex_lock(&lock);
    faulty_step step = steps.at[index];
    pthread_mutex_unlock(&lock);
    return step;
}

void faulty_disk_mark(int64_t number) { note(FAULTY_MARK, 3, number, 0, NULL); }

void faulty_disk_fail(int call, int64_t after, int64_t times, int code) {
    pthread_mutex_lock(&lock);
    fault.call = call;
    fault.after = after;
    fault.times = times;
    fault.code = code;
    fault.failed = 0;
    pthread_mutex_unlock(&lock);
}

int64_t faulty_disk_failed(void) {
    pthread_mutex_lock(&lock);
    int64_t failed = fault.failed;
    pthread_mutex_unlock(&lock);
    return failed;
}
