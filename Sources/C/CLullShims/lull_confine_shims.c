#define _GNU_SOURCE
#include "lull_confine_shims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Landlock's interface, as far as this needs it: the kernel's headers of a build may be older than the kernel. */
struct rules {
    uint64_t files, network, scopes;
};
struct __attribute__((packed)) path_rule {
    uint64_t access;
    int32_t folder;
};
#define SYS_RULES_CREATE 444
#define SYS_RULES_ADD 445
#define SYS_RULES_ENTER 446

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE = 1 << 1,
    FS_READ = 1 << 2,
    FS_LIST = 1 << 3,
    FS_REMOVE_FOLDER = 1 << 4,
    FS_REMOVE = 1 << 5,
    FS_MAKE_CHARACTER = 1 << 6,
    FS_MAKE_FOLDER = 1 << 7,
    FS_MAKE_FILE = 1 << 8,
    FS_MAKE_SOCKET = 1 << 9,
    FS_MAKE_FIFO = 1 << 10,
    FS_MAKE_BLOCK = 1 << 11,
    FS_MAKE_LINK = 1 << 12,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_CONTROL_DEVICE = 1 << 15,
};
enum { NET_BIND = 1, NET_CONNECT = 2, SCOPE_ABSTRACT_SOCKETS = 1, SCOPE_SIGNALS = 2 };

int lull_landlock_abi(void) {
    long version = syscall(SYS_RULES_CREATE, NULL, 0, 1);
    return version > 0 ? (int)version : 0;
}

static uint64_t handled(int abi, int reads, int writes) {
    /* No app may make devices, so that there are rules in any case: a process with rules can't trace one without. */
    uint64_t files = FS_MAKE_CHARACTER | FS_MAKE_BLOCK;
    if (reads) files |= FS_EXECUTE | FS_READ;
    /* The names in a folder can't be allowed without those in all folders below it. */
    if (reads == LULL_READS_LIMITED) files |= FS_LIST;
    if (writes) {
        files |= FS_WRITE | FS_REMOVE_FOLDER | FS_REMOVE | FS_MAKE_FOLDER | FS_MAKE_FILE | FS_MAKE_SOCKET |
                 FS_MAKE_FIFO | FS_MAKE_LINK;
        if (abi >= 2) files |= FS_REFER;
        if (abi >= 3) files |= FS_TRUNCATE;
        if (abi >= 5) files |= FS_CONTROL_DEVICE;
    }
    return files;
}

int lull_landlock_begin(int abi, int reads, int writes, int network) {
    struct rules rules = {.files = handled(abi, reads, writes)};
    if (abi >= 4 && network) rules.network = NET_BIND | NET_CONNECT;
    if (abi >= 6) rules.scopes = SCOPE_SIGNALS | (network ? SCOPE_ABSTRACT_SOCKETS : 0);
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int descriptor = (int)syscall(SYS_RULES_CREATE, &rules, size, 0);
    return descriptor >= 0 ? descriptor : -errno;
}

/* Allows access to an open place, and closes it. */
static int allow_place(int rules, int abi, int place, int access, int reads, int writes) {
    struct stat status;
    int fault = fstat(place, &status) == 0 ? 0 : errno;
    uint64_t files = 0;
    if (access & LULL_MAY_READ) files |= FS_EXECUTE | FS_READ | FS_LIST;
    if (access & LULL_MAY_WRITE) {
        files |= handled(abi, 0, 1) & ~(uint64_t)(FS_MAKE_CHARACTER | FS_MAKE_BLOCK);
        /* A place that may be written and not read is of no use. */
        files |= FS_READ | FS_LIST;
    }
    files &= handled(abi, reads, writes);
    if (!fault && !S_ISDIR(status.st_mode)) {
        files &= FS_EXECUTE | FS_WRITE | FS_READ | FS_TRUNCATE | FS_CONTROL_DEVICE;
    }
    if (!fault && files != 0) {
        struct path_rule rule = {.access = files, .folder = place};
        if (syscall(SYS_RULES_ADD, rules, 1, &rule, 0) != 0) fault = errno;
    }
    close(place);
    return fault;
}

int lull_landlock_allow(int rules, int abi, const char *path, int access, int reads, int writes) {
    int place = open(path, O_PATH | O_CLOEXEC);
    return place >= 0 ? allow_place(rules, abi, place, access, reads, writes) : errno;
}

/* Whether one of the paths is `path` (1) or lies below it (2). */
static int leads_to(const char *path, const char *const *hidden, int count) {
    size_t length = strlen(path);
    int result = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(hidden[i], path) == 0) return 1;
        if (strncmp(hidden[i], path, length) == 0 && hidden[i][length] == '/') result = 2;
    }
    return result;
}

/* Disks hold everybody's files, so what lies in /dev is looked at one by one. */
static int is_among_devices(const char *path, const struct stat *status) {
    struct stat devices;
    return S_ISDIR(status->st_mode) && (strcmp(path, "/dev") == 0 || strncmp(path, "/dev/", 5) == 0) &&
           stat("/dev", &devices) == 0 && devices.st_dev == status->st_dev;
}

/* Disks, also by character devices, consoles and their screens, and input devices: an app that runs as root could read them as
   files. */
static int is_of_others(const char *path, const struct stat *status) {
    static const char *const kinds[] = {"sg", "bsg/", "mtd", "ubi", "ng", "nvme", "vcs", "tty", "console", "input/",
                                        "hidraw", "usbmon", "kmsg"};
    if (S_ISBLK(status->st_mode)) return 1;
    if (!S_ISCHR(status->st_mode) || strncmp(path, "/dev/", 5) != 0 || strcmp(path, "/dev/tty") == 0) return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(path + 5, kinds[i], strlen(kinds[i])) == 0) return 1;
    }
    return 0;
}

/* `path` has no `/` at its end; that of the root is empty. A folder that can't be listed is not allowed. */
static int allow_around(int rules, int abi, const char *path, const char *const *hidden, int count, int writes) {
    DIR *folder = opendir(path[0] ? path : "/");
    if (!folder) return errno == EACCES || errno == ENOENT ? 0 : errno;
    int fault = 0;
    for (struct dirent *entry; !fault && (entry = readdir(folder));) {
        char below[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) continue;
        int way = leads_to(below, hidden, count);
        if (way == 1) continue;
        if (way == 2) {
            fault = allow_around(rules, abi, below, hidden, count, writes);
            continue;
        }
        /* A link is left out: its target is judged where it lies. */
        int place = openat(dirfd(folder), entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct stat status;
        if (place < 0) continue;
        if (fstat(place, &status) != 0 || S_ISLNK(status.st_mode) || is_of_others(below, &status)) {
            close(place);
        } else if (is_among_devices(below, &status)) {
            close(place);
            fault = allow_around(rules, abi, below, hidden, count, writes);
        } else {
            fault = allow_place(rules, abi, place, LULL_MAY_READ, LULL_READS_BUT_HIDDEN, writes);
        }
    }
    closedir(folder);
    return fault;
}

int lull_landlock_allow_but(int rules, int abi, const char *const *paths, int count, int writes) {
    const char *hidden[8] = {NULL};
    int known = 0, fault = 0;
    for (int i = 0; i < count && known < 8; i++) {
        /* A path that is not there hides nothing. */
        if ((hidden[known] = realpath(paths[i], NULL))) known++;
    }
    fault = allow_around(rules, abi, "", hidden, known, writes);
    for (int i = 0; i < known; i++) free((void *)hidden[i]);
    return fault;
}

int lull_landlock_enter(int rules) {
    int fault = syscall(SYS_RULES_ENTER, rules, 0) == 0 ? 0 : errno;
    close(rules);
    return fault;
}

int lull_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno; }

/* The capabilities that a named root (`user: root`, `user: host`) keeps without `privileges: keep`. */
static const int kept[] = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,           CAP_KILL,
                           CAP_SETGID, CAP_SETUID,       CAP_SETPCAP, CAP_NET_BIND_SERVICE};

static int is_kept(int capability) {
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (kept[i] == capability) return 1;
    }
    return 0;
}

int lull_bound_capabilities(void) {
    for (int capability = 0; capability < 64; capability++) {
        int has = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
        if (has < 0) return 0; /* The kernel knows no more. */
        /* EPERM: this is no root. Without new privileges there is nothing to be gained. */
        if (has == 1 && !is_kept(capability) && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM)
            return errno;
    }
    return 0;
}

int lull_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return errno;
    for (int capability = 0; capability < 64; capability++) {
        struct __user_cap_data_struct *half = &data[capability / 32];
        uint32_t bit = (uint32_t)1 << (capability % 32);
        half->inheritable &= ~bit;
        if (!is_kept(capability)) {
            half->permitted &= ~bit;
            half->effective &= ~bit;
        }
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

int lull_become_user(const char *name) {
    struct passwd *user = getpwnam(name);
    if (!user) return ENOENT;
    if (geteuid() != user->pw_uid || getuid() != user->pw_uid) {
        if (initgroups(name, user->pw_gid) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0) return errno;
        /* Else its own /proc would belong to root. */
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    }
    setenv("HOME", user->pw_dir, 1);
    setenv("USER", name, 1);
    setenv("LOGNAME", name, 1);
    setenv("SHELL", user->pw_shell[0] ? user->pw_shell : "/bin/sh", 1);
    return 0;
}

int lull_become_account(uint32_t number, const char *name, const char *home) {
    gid_t none = 0;
    if (setgroups(0, &none) != 0 || setresgid(number, number, number) != 0 || setresuid(number, number, number) != 0) {
        return errno;
    }
    /* Else its own /proc would belong to root. */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    setenv("HOME", home, 1);
    setenv("USER", name, 1);
    setenv("LOGNAME", name, 1);
    setenv("SHELL", "/bin/sh", 1);
    return 0;
}

/* Gives away the file of an O_PATH descriptor and what lies in it; closes it. The folder comes last: a gift cut off begins anew. */
static int give(int place, uid_t from, uid_t to, gid_t group, dev_t device, int depth) {
    struct stat status;
    int fault = fstat(place, &status) == 0 ? 0 : errno;
    int is_folder = !fault && S_ISDIR(status.st_mode);
    int is_given = !fault && status.st_uid == from && status.st_dev == device && !S_ISCHR(status.st_mode) &&
                   !S_ISBLK(status.st_mode) && (is_folder || status.st_nlink == 1);
    if (is_given && is_folder) {
        int opened = depth > 0 ? openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        if (opened < 0) fault = depth > 0 ? errno : ELOOP;
        DIR *folder = fault ? NULL : fdopendir(opened);
        if (!fault && !folder) {
            fault = errno;
            close(opened);
        }
        for (struct dirent *entry; folder && !fault && (entry = readdir(folder));) {
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
            int below = openat(dirfd(folder), entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
            if (below >= 0) fault = give(below, from, to, group, device, depth - 1);
        }
        if (folder) closedir(folder);
    }
    if (is_given && !fault && fchownat(place, "", to, group, AT_EMPTY_PATH) != 0) fault = errno;
    close(place);
    return fault;
}

int lull_give_folder(int folder, uid_t from, uid_t to, gid_t group) {
    int place = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct stat status;
    if (place < 0) return errno;
    if (fstat(place, &status) != 0) {
        int fault = errno;
        close(place);
        return fault;
    }
    return give(place, from, to, group, status.st_dev, 200);
}

int lull_is_delegated(const char *folder) {
    char mark = 0;
    return (getxattr(folder, "user.delegate", &mark, 1) == 1 || getxattr(folder, "trusted.delegate", &mark, 1) == 1) &&
           mark == '1';
}

static int limit(int resource, uint64_t most) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) return errno;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    struct rlimit wanted = {.rlim_cur = most, .rlim_max = most};
    return setrlimit((__rlimit_resource_t)resource, &wanted) == 0 ? 0 : errno;
}

int lull_limit_descriptors(uint64_t count) { return limit(RLIMIT_NOFILE, count); }
int lull_limit_data(uint64_t bytes) { return limit(RLIMIT_DATA, bytes); }
int lull_limit_processes(uint64_t count) { return limit(RLIMIT_NPROC, count); }

int lull_hold_cores(void) {
    struct rlimit now;
    return getrlimit(RLIMIT_CORE, &now) == 0 ? limit(RLIMIT_CORE, now.rlim_cur) : errno;
}
