/* How a worker drops its rights before it loads a plugin: Landlock, seccomp, capabilities, limits. */
#ifndef LULL_CONFINE_SHIMS_H
#define LULL_CONFINE_SHIMS_H

#include <stdint.h>
#include <sys/types.h>

/* The version of Landlock's interface; 0: the kernel has none, or it is turned off. */
int lull_landlock_abi(void);

/* Whether the kernel filters system calls. */
int lull_can_filter_calls(void);

/* From this version of Landlock on an app can signal only what it has started. */
enum { LULL_ABI_WITH_SIGNALS = 6 };

/* How far reading is limited: not at all; to all but what is hidden, with names as they are; or to what is allowed. */
enum { LULL_READS_ALL, LULL_READS_BUT_HIDDEN, LULL_READS_LIMITED };

/* A set of rules under which files can't be read (`reads`) or written (`writes`) but for what is allowed then, TCP is not to be
   had (`network`), and nothing outside may be traced or, from version 6 on, signalled. Its descriptor, or the negated errno. */
int lull_landlock_begin(int abi, int reads, int writes, int network);

enum { LULL_MAY_READ = 1, LULL_MAY_WRITE = 2 };

/* Allows what lies under `path`, as far as the rules handle it. 0, or an errno. */
int lull_landlock_allow(int rules, int abi, const char *path, int access, int reads, int writes);

/* Allows to read all that is there now but what lies under these paths: what is made later beside them, in a folder above,
   is not allowed. 0, or an errno. */
int lull_landlock_allow_but(int rules, int abi, const char *const *paths, int count, int writes);

/* Enters the rules permanently, and closes them. 0, or an errno. */
int lull_landlock_enter(int rules);

/* From here on no program that is run gains rights by a set-user-ID bit or its own capabilities. 0, or an errno. */
int lull_no_new_privileges(void);

enum {
    /* No socket of the network. */
    LULL_NO_NETWORK = 1,
    /* Files may be written in some places only, and so may the attributes that Landlock does not know. */
    LULL_WRITES_LIMITED = 2,
    /* Landlock keeps signals to what the app has started. */
    LULL_SIGNALS_SCOPED = 4,
    /* The worker has queues, shared memory and semaphores of its own. */
    LULL_OWN_IPC = 8,
    /* A broker decides on changes of files' mode, owner, times and attributes; else they are refused where writes are limited. */
    LULL_BROKER = 16,
};

/* Refuses the system calls that no job needs and kernels are attacked through, and calls that aim at processes that are
   not the app's. The broker's descriptor, 0 without one, or the negated errno. */
int lull_filter_calls(unsigned flags, pid_t host, pid_t host_group);

/* Whether the kernel can have another process decide on a system call. */
int lull_can_ask_broker(void);

/* Gives this process a namespace of its own for queues, shared memory and semaphores. Returns whether it has: only root may. */
int lull_own_ipc(void);

/* Limits the capabilities that may be gained later to those over files, users, signals and low ports. 0, or an errno. */
int lull_bound_capabilities(void);

/* Limits the present capabilities to the same. 0, or an errno. */
int lull_drop_capabilities(void);

/* Becomes this user, in its groups, with its home. 0; ENOENT: there is none; or another errno. */
int lull_become_user(const char *name);

/* Becomes an account that has no name on this machine, in no group but its own. 0, or an errno. */
int lull_become_account(uint32_t number, const char *name, const char *home);

/* Gives an open folder that is `from`'s, and what is `from`'s in it, to another: follows no link, and leaves devices, other file
   systems and what has a second name (a hard link) as they are. 0, or an errno. */
int lull_give_folder(int folder, uid_t from, uid_t to, gid_t group);

/* Whether systemd has marked the control group's folder as delegated to its processes (`Delegate=yes`). */
int lull_is_delegated(const char *folder);

/* Limits of this process and what it starts; soft and hard. 0, or an errno. */
int lull_limit_descriptors(uint64_t count);
int lull_limit_data(uint64_t bytes);
int lull_limit_processes(uint64_t count);
/* Keeps the limit of core files at its present value: it can't be raised. */
int lull_hold_cores(void);

#endif
