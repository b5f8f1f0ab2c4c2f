#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

/*
 * A VFS for SQLite between it and the real files of one folder: it writes down what was asked of the disk, in order, and
 * fails what it is told to fail. Everything outside of the folder passes through. One folder a process.
 */

/* What was asked of the disk. */
enum faulty_kind {
    FAULTY_CREATE = 1, /* a file that was not there: its name is not durable yet */
    FAULTY_WRITE,
    FAULTY_TRUNCATE,
    FAULTY_SYNC,       /* all of this file is durable */
    FAULTY_SYNC_NAMES, /* and the names in its folder */
    FAULTY_DELETE,
    FAULTY_MARK        /* the test's own: `offset` is its number */
};

typedef struct faulty_step {
    int32_t kind;
    int32_t file; /* 0 the database, 1 its WAL, 2 its journal, 3 any other */
    int64_t offset;
    int64_t length;
    const uint8_t *bytes; /* of a write */
} faulty_step;

/* Installs the disk as SQLite's default for this process; returns SQLite's code. */
int faulty_disk_install(const char *folder);

/* The steps so far; those returned stay valid until the process ends. */
int64_t faulty_disk_count(void);
faulty_step faulty_disk_step(int64_t index);
void faulty_disk_mark(int64_t number);

/* From the `after`-th of these calls on (0: the next), `times` of them fail with this errno. */
enum faulty_call { FAULTY_ANY = 0, FAULTY_WRITES = 1, FAULTY_SYNCS = 2 };
void faulty_disk_fail(int call, int64_t after, int64_t times, int code);

/* How many calls have failed since `faulty_disk_fail`. */
int64_t faulty_disk_failed(void);

#endif
