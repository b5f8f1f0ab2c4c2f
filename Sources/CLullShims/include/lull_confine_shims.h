/* What a worker gives up before it loads a plugin: Landlock, seccomp, capabilities, limits. */
#ifndef LULL_CONFINE_SHIMS_H
#define LULL_CONFINE_SHIMS_H

#include <stdint.h>
#include <sys/types.h>

/* The version of Landlock's interface; 0: the kernel has none, or it is turned off. */
int lull_landlock_abi(void);

/* Whether the kernel filters system calls. */
int lull_can_filter_calls(void);

/* A set of rules under which files can't be read (`reads`) or written (`writes`) but for what is allowed then, TCP is not to be
   had (`network`), and nothing outside may be traced or, from version 6 on, signalled. Its descriptor, or the negated errno. */
int lull_landlock_begin(int abi, int reads, int writes, int network);

enum { LULL_MAY_READ = 1, LULL_MAY_WRITE = 2 };

/* Allows what lies under `path`, as far as the rules handle it. 0, or an errno. */
int lull_landlock_allow(int rules, int abi, const char *path, int access, int reads, int writes);

/* Enters the rules, for good, and closes them. 0, or an errno. */
int lull_landlock_enter(int rules);

/* From here on no program that is run gains anything by its owner's or its own rights. 0, or an errno. */
int lull_no_new_privileges(void);

/* Refuses the system calls that no job needs and kernels are attacked through, sockets of the network if `network`, and
   whatever aims at the process `host`, its group or this worker's keeper. 0, or an errno. */
int lull_filter_calls(int network, pid_t host, pid_t host_group);

/* Takes from what may be gained later all but the rights over files, users and low ports. 0, or an errno. */
int lull_bound_capabilities(void);

/* Takes the same from what there is. 0, or an errno. */
int lull_drop_capabilities(void);

/* Goes on as this user, in its groups, with its home. 0; ENOENT: there is none; or another errno. */
int lull_become_user(const char *name);

/* Whether systemd has marked the control group's folder as given to who runs in it (`Delegate=yes`). */
int lull_is_delegated(const char *folder);

/* Of this process and what it starts; soft and hard. 0, or an errno. */
int lull_limit_descriptors(uint64_t count);
int lull_limit_data(uint64_t bytes);
int lull_limit_processes(uint64_t count);

#endif
