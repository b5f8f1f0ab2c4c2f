/* The supervisor: a process between the host and one worker, which no process of the app can escape. */
#ifndef LULL_SUPERVISOR_SHIMS_H
#define LULL_SUPERVISOR_SHIMS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptors with which `lull_spawn` starts a supervisor, beside those of the worker: its socket to the host and,
   where control groups are delegated, the app's `cgroup.procs`. */
enum { LULL_SUPERVISOR_LINK = 4, LULL_SUPERVISOR_GROUP = 5 };

/* How a supervisor exits: nothing of the app is left but the worker's zombie; something is left that the kernel does not end
   (yet); there is no worker, because it could not be forked. Beside one of the former two: the time was up that the host had
   given it, so the supervisor has ended all. */
enum { LULL_SUPERVISOR_DONE = 0, LULL_SUPERVISOR_LEFT = 1, LULL_SUPERVISOR_NO_WORKER = 2, LULL_SUPERVISOR_OVERDUE = 4 };

/* The report that a supervisor sends to the host over its link, once. */
struct lull_kept {
    /* The worker's pid, or the negated errno of the fork. */
    int32_t worker;
    /* Whether the worker is in the app's control group. */
    int32_t is_in_group;
};

/* Makes this process the supervisor of a child, in which alone this returns: 0, or an errno. To be called while there is one
   thread and no right has been given up. The child leads a session of its own and is killed when its supervisor ends.
   The supervisor reaps what it inherits. When the worker ends, or the host closes the link or ends, the supervisor ends all that
   descends from it. So it does at the time that the host has told it last through the link, an `int64_t` of nanoseconds of
   CLOCK_BOOTTIME, 0 for none. */
int lull_keep(void);

/* In the worker: its supervisor and its host. */
pid_t lull_supervisor(void);
pid_t lull_host(void);

/* In the worker, after it has become another user, which clears this setting: it is killed when its supervisor ends. */
void lull_die_with_supervisor(void);

/* All descendants of a process, as far as one look finds them; the caller frees `found`. How many, or the negated errno. */
ssize_t lull_descendants(pid_t root, pid_t **found);

#endif
