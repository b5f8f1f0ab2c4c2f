#define _GNU_SOURCE
#include "lull_broker_shims.h"

#include "lull_confine_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* The worker's introduction, which its groups and places follow. */
struct introduction {
    uid_t user;
    gid_t group;
    uint32_t groups, places;
    /* The worker's pid, and the listener's number there, for a supervisor that has to take it itself. */
    pid_t worker;
    int32_t listener;
    int32_t nice;
};

enum { MOST_GROUPS = 1 << 16, LONGEST_NAME = 255, LONGEST_VALUE = 1 << 16 };

static int supervisors_end = -1, workers_end = -1;
/* Used by the supervisor's thread alone. */
static int listener = -1;
static char **places;
static uint32_t place_count;
/* Whether the file that a call is about was named by the caller's own descriptor; and whether it is the app's folder itself. */
static int is_by_descriptor, is_app_folder;

int lull_broker_open(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    /* Out of the way of the supervisor's own, which need not be open. */
    supervisors_end = fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
    workers_end = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    int fault = supervisors_end < 0 || workers_end < 0 ? errno : 0;
    close(ends[0]);
    close(ends[1]);
    return fault;
}

static int send_all(int descriptor, const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return errno;
        bytes = (const char *)bytes + sent;
        count -= (size_t)sent;
    }
    return 0;
}

static int receive_all(int descriptor, void *bytes, size_t count) {
    while (count > 0) {
        ssize_t received = recv(descriptor, bytes, count, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return EPIPE;
        bytes = (char *)bytes + received;
        count -= (size_t)received;
    }
    return 0;
}

union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

static int send_listener(int descriptor, struct introduction *introduction) {
    union control control = {.room = {0}};
    struct iovec words = {introduction, sizeof *introduction};
    struct msghdr message = {
        .msg_iov = &words, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    /* An empty stream takes so few bytes at once. */
    if (sendmsg(workers_end, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *introduction) return 0;
    if (errno != ETOOMANYREFS) return EPIPE;
    /* This user has as many descriptors in flight as it may have: the supervisor takes it. */
    char taken;
    int fault = send_all(workers_end, introduction, sizeof *introduction);
    return fault ? fault : receive_all(workers_end, &taken, 1);
}

int lull_broker_hand_over(int descriptor, const char *const *paths, int count) {
    struct introduction introduction = {.user = geteuid(), .group = getegid(), .places = (uint32_t)count};
    introduction.worker = getpid();
    introduction.listener = descriptor;
    introduction.nice = getpriority(PRIO_PROCESS, 0);
    int groups = getgroups(0, NULL), fault = groups < 0 ? errno : 0;
    gid_t *list = fault ? NULL : calloc((size_t)groups + 1, sizeof *list);
    if (!fault && !list) fault = ENOMEM;
    if (!fault && (groups = getgroups(groups, list)) < 0) fault = errno;
    introduction.groups = fault ? 0 : (uint32_t)groups;
    if (!fault) fault = send_listener(descriptor, &introduction);
    if (!fault) fault = send_all(workers_end, list, sizeof *list * (size_t)groups);
    for (int i = 0; i < count && !fault; i++) {
        uint32_t length = (uint32_t)strlen(paths[i]);
        fault = send_all(workers_end, &length, sizeof length);
        if (!fault) fault = send_all(workers_end, paths[i], length);
    }
    free(list);
    close(descriptor);
    return fault;
}

void lull_broker_leave(void) {
    close(supervisors_end);
    close(workers_end);
}

/* This thread alone goes on with the app's rights over files; its other numbers stay the supervisor's, so that the app can't
   signal it. Of the capabilities it keeps the one by which it reads paths where Yama is strict. */
static int take_rights(const struct introduction *introduction, const gid_t *groups) {
    if (geteuid() != 0) return 0;
    if (syscall(SYS_setgroups, (size_t)introduction->groups, groups) != 0) return errno;
    setfsgid(introduction->group);
    setfsuid(introduction->user);
    if (setfsuid((uid_t)-1) != (int)introduction->user || setfsgid((gid_t)-1) != (int)introduction->group) return EPERM;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return errno;
    uint32_t kept = (uint32_t)1 << CAP_SYS_PTRACE;
    if (introduction->user == 0) {
        kept |= 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER | 1u << CAP_FSETID;
    }
    data[0].permitted &= kept;
    data[0].effective = data[0].permitted;
    data[1].effective = data[1].permitted = 0;
    data[0].inheritable = data[1].inheritable = 0;
    return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

/* Takes the listener from the worker, which waits for that. */
static int take_listener(const struct introduction *introduction) {
    int process = (int)syscall(434 /* pidfd_open */, introduction->worker, 0);
    if (process < 0) return errno;
    listener = (int)syscall(438 /* pidfd_getfd */, process, introduction->listener, 0);
    int fault = listener < 0 ? errno : 0;
    close(process);
    return fault ? fault : send_all(supervisors_end, "", 1);
}

static int receive_listener(struct introduction *introduction) {
    union control control;
    struct iovec words = {introduction, sizeof *introduction};
    struct msghdr message = {
        .msg_iov = &words, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do {
        count = recvmsg(supervisors_end, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    } while (count < 0 && errno == EINTR);
    if (count != (ssize_t)sizeof *introduction) return EPIPE;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header) {
        int fault = take_listener(introduction);
        if (fault) return fault;
    } else if (header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
        return EPIPE;
    } else {
        memcpy(&listener, CMSG_DATA(header), sizeof listener);
    }
    return introduction->groups > MOST_GROUPS || introduction->places > UINT16_MAX ? EINVAL : 0;
}

static int receive_places(uint32_t count) {
    places = calloc((size_t)count + 1, sizeof *places);
    for (int fault = places ? 0 : ENOMEM; place_count < count || fault; place_count++) {
        uint32_t length = 0;
        if (!fault) fault = receive_all(supervisors_end, &length, sizeof length);
        if (!fault && length >= PATH_MAX) fault = EINVAL;
        if (!fault && !(places[place_count] = calloc(length + 1, 1))) fault = ENOMEM;
        if (!fault) fault = receive_all(supervisors_end, places[place_count], length);
        if (fault) return fault;
    }
    return 0;
}

static int adopt(void) {
    struct introduction introduction = {.user = 0};
    int fault = receive_listener(&introduction);
    if (fault) return fault;
    gid_t *groups = calloc((size_t)introduction.groups + 1, sizeof *groups);
    if (!groups) return ENOMEM;
    fault = receive_all(supervisors_end, groups, sizeof *groups * introduction.groups);
    if (!fault) fault = receive_places(introduction.places);
    if (!fault) fault = take_rights(&introduction, groups);
    /* Of this thread alone: it works for the app, and is no more urgent. */
    if (!fault && introduction.nice > 0) setpriority(PRIO_PROCESS, 0, introduction.nice);
    free(groups);
    return fault;
}

/* Copies the caller's memory, as much as is there up to `most`; -1: nothing. */
static ssize_t copy(pid_t caller, uint64_t address, void *bytes, size_t most) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), first = page - address % page;
    struct iovec own = {bytes, most}, its[18];
    size_t count = 0;
    for (size_t done = 0; done < most && count < sizeof its / sizeof *its; count++) {
        size_t piece = count == 0 ? first : page;
        if (piece > most - done) piece = most - done;
        its[count] = (struct iovec){(void *)(uintptr_t)(address + done), piece};
        done += piece;
    }
    return process_vm_readv(caller, &own, 1, its, count, 0);
}

static int copy_exactly(pid_t caller, uint64_t address, void *bytes, size_t count) {
    if (count == 0) return 0;
    ssize_t got = copy(caller, address, bytes, count);
    if (got < 0) return errno == ESRCH ? ESRCH : errno;
    return (size_t)got == count ? 0 : EFAULT;
}

static int copy_text(pid_t caller, uint64_t address, char *text, size_t room) {
    ssize_t got = copy(caller, address, text, room);
    if (got < 0) return errno;
    if (memchr(text, 0, (size_t)got)) return 0;
    return (size_t)got == room ? ENAMETOOLONG : EFAULT;
}

/* The caller's descriptor, or its current folder, as one of this process's own without rights. */
static int open_descriptor(pid_t caller, int number) {
    char path[64];
    if (number == AT_FDCWD) {
        snprintf(path, sizeof path, "/proc/%d/cwd", (int)caller);
    } else {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)caller, number);
    }
    int place = open(path, O_PATH | O_CLOEXEC);
    return place >= 0 ? place : errno == ENOENT ? -EBADF : -errno;
}

static int open_own(pid_t caller, int number) {
    is_by_descriptor = 1;
    return open_descriptor(caller, number);
}

/* Whether /proc/N means the caller's process. */
static int is_of_caller(pid_t caller, const char *number, size_t length) {
    char path[64];
    if (length == 0 || length > 10 || strspn(number, "0123456789") < length) return 0;
    snprintf(path, sizeof path, "/proc/%d/task/%.*s", (int)caller, (int)length, number);
    return access(path, F_OK) == 0;
}

/* Replaces a name of the reader itself in /proc by the caller's number, in `result`. Returns the length of the caller's folder
   there; 0: the path does not lead to it. */
static size_t rename_self(pid_t caller, const char *path, char *result, size_t room) {
    static const struct {
        const char *prefix, *below;
    } selves[] = {{"/proc/self/", ""}, {"/proc/thread-self/", ""}, {"/dev/fd/", "fd/"}};
    char folder[32];
    size_t length = (size_t)snprintf(folder, sizeof folder, "/proc/%d/", (int)caller);
    for (size_t i = 0; i < sizeof selves / sizeof *selves; i++) {
        size_t skipped = strlen(selves[i].prefix);
        if (strncmp(path, selves[i].prefix, skipped) != 0) continue;
        snprintf(result, room, "%s%s%s", folder, selves[i].below, path + skipped);
        return length;
    }
    size_t digits = strncmp(path, "/proc/", 6) == 0 ? strcspn(path + 6, "/") : 0;
    if (digits > 0 && path[6 + digits] == '/' && is_of_caller(caller, path + 6, digits)) {
        snprintf(result, room, "%s%s", folder, path + 6 + digits + 1);
        return length;
    }
    snprintf(result, room, "%s", path);
    return 0;
}

/* The length of a descriptor's name (`fd/N`), or of `cwd`, at the beginning of a name in the caller's folder in /proc; 0: it is
   something else. */
static size_t own_link(const char *name) {
    size_t length = strncmp(name, "fd/", 3) == 0 ? strspn(name + 3, "0123456789") : 0;
    if (length > 0) length += 3;
    if (strncmp(name, "cwd", 3) == 0) length = 3;
    return name[length] == 0 || name[length] == '/' ? length : 0;
}

/* The kernel's own links in /proc lead to files and folders of other processes, in mounts that no path here shows; /proc/self is
   the supervisor here. No such link is followed. */
static int open_by(int base, const char *path, int flags) {
    struct open_how how = {.flags = (uint64_t)flags, .resolve = RESOLVE_NO_MAGICLINKS};
    int place = (int)syscall(437 /* openat2 */, base, path, &how, sizeof how);
    return place < 0 && errno == ENOSYS ? openat(base, path, flags) : place;
}

/* Opens by one of the caller's own such links, which lead to its own files. `end` is where the link's name ends. */
static int open_link(char *path, char *end, int flags) {
    if (*end == 0) return open(path, flags);
    *end++ = 0;
    int base = open(path, O_PATH | O_CLOEXEC);
    if (base < 0) return base;
    end += strspn(end, "/");
    int place = open_by(base, *end ? end : ".", flags), fault = errno;
    close(base);
    errno = fault;
    return place;
}

static int open_path(pid_t caller, int folder, uint64_t address, int flags) {
    char given[PATH_MAX], path[PATH_MAX + 32];
    int fault = copy_text(caller, address, given, sizeof given);
    if (fault) return -fault;
    if (given[0] == 0) return flags & AT_EMPTY_PATH ? open_own(caller, folder) : -ENOENT;
    size_t before = rename_self(caller, given, path, sizeof path);
    size_t link = before > 0 ? own_link(path + before) : 0;
    int base = path[0] == '/' ? AT_FDCWD : open_descriptor(caller, folder);
    if (base < 0 && base != AT_FDCWD) return base;
    int how = O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0);
    int place = link > 0 ? open_link(path, path + before + link, how) : open_by(base, path, how);
    if (place < 0) place = -errno;
    if (base >= 0) close(base);
    return place;
}

static int lies_in(const char *path, const char *place) {
    size_t length = strlen(place);
    if (length > 0 && place[length - 1] == '/') {
        return strncmp(path, place, length) == 0 && path[length] != 0;
    }
    return strncmp(path, place, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* Whether the app may change the opened file. Devices are everybody's: no app may change them. */
static int may_change(const char *own, const struct stat *status) {
    char path[PATH_MAX + 16];
    ssize_t length = readlink(own, path, sizeof path - 1);
    if (length <= 0 || length >= (ssize_t)sizeof path - 1) return 0;
    path[length] = 0;
    /* A pipe or a socket without a name belongs to the process whose descriptor it is; by a path it may be the supervisor's. */
    if (path[0] != '/') return is_by_descriptor && (S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode));
    if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) return 0;
    /* A memory file is in no folder, and the app's own. Only root can make a file with such a name in "/". */
    if (is_by_descriptor && status->st_nlink == 0 && strncmp(path, "/memfd:", 7) == 0) return 1;
    is_app_folder = place_count > 0 && strcmp(path, places[0]) == 0;
    for (uint32_t i = 0; i < place_count; i++) {
        if (lies_in(path, places[i])) return 1;
    }
    return 0;
}

/* A file that runs with its owner's rights would give the app's rights to others. */
static int gives_rights(mode_t mode, const struct stat *status) {
    return (mode & S_ISUID) || ((mode & S_ISGID) && !S_ISDIR(status->st_mode));
}

static int set_times(const char *own, const struct timespec *times) {
    return utimensat(AT_FDCWD, own, times, 0) == 0 ? 0 : errno;
}

/* From pairs of seconds and microseconds. */
static int set_old_times(pid_t caller, const char *own, uint64_t address) {
    struct timeval given[2];
    if (address == 0) return set_times(own, NULL);
    int fault = copy_exactly(caller, address, given, sizeof given);
    if (fault) return fault;
    struct timespec times[2];
    for (int i = 0; i < 2; i++) {
        if (given[i].tv_usec < 0 || given[i].tv_usec >= 1000000) return EINVAL;
        times[i] = (struct timespec){given[i].tv_sec, given[i].tv_usec * 1000};
    }
    return set_times(own, times);
}

static int set_new_times(pid_t caller, const char *own, uint64_t address) {
    struct timespec times[2];
    if (address == 0) return set_times(own, NULL);
    int fault = copy_exactly(caller, address, times, sizeof times);
    return fault ? fault : set_times(own, times);
}

#ifdef SYS_utime
static int set_seconds(pid_t caller, const char *own, uint64_t address) {
    struct utimbuf given;
    if (address == 0) return set_times(own, NULL);
    int fault = copy_exactly(caller, address, &given, sizeof given);
    struct timespec times[2] = {{given.actime, 0}, {given.modtime, 0}};
    return fault ? fault : set_times(own, times);
}
#endif

static int set_attribute(pid_t caller, const char *own, const uint64_t *arguments) {
    char name[LONGEST_NAME + 1];
    static char value[LONGEST_VALUE];
    if (arguments[3] > sizeof value) return E2BIG;
    int fault = copy_text(caller, arguments[1], name, sizeof name);
    if (!fault) fault = copy_exactly(caller, arguments[2], value, arguments[3]);
    if (fault) return fault == ENAMETOOLONG ? ERANGE : fault;
    return setxattr(own, name, value, arguments[3], (int)arguments[4]) == 0 ? 0 : errno;
}

static int remove_attribute(pid_t caller, const char *own, const uint64_t *arguments) {
    char name[LONGEST_NAME + 1];
    int fault = copy_text(caller, arguments[1], name, sizeof name);
    if (fault) return fault == ENAMETOOLONG ? ERANGE : fault;
    return removexattr(own, name) == 0 ? 0 : errno;
}

/* The file that a call is about, or a negated errno. */
static int open_target(pid_t caller, int number, const uint64_t *arguments) {
    int first = (int)arguments[0];
    is_by_descriptor = is_app_folder = 0;
    switch (number) {
#ifdef SYS_chmod
    case SYS_chmod:
    case SYS_chown:
    case SYS_utime:
    case SYS_utimes: return open_path(caller, AT_FDCWD, arguments[0], 0);
    case SYS_lchown: return open_path(caller, AT_FDCWD, arguments[0], AT_SYMLINK_NOFOLLOW);
    case SYS_futimesat:
        return arguments[1] ? open_path(caller, first, arguments[1], 0) : open_own(caller, first);
#endif
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr: return first < 0 ? -EBADF : open_own(caller, first);
    case SYS_fchmodat: return open_path(caller, first, arguments[1], 0);
    case 452: return open_path(caller, first, arguments[1], (int)arguments[3]);
    case SYS_fchownat: return open_path(caller, first, arguments[1], (int)arguments[4]);
    case SYS_utimensat:
        return arguments[1] ? open_path(caller, first, arguments[1], (int)arguments[3])
                            : open_own(caller, first);
    case SYS_setxattr:
    case SYS_removexattr: return open_path(caller, AT_FDCWD, arguments[0], 0);
    case SYS_lsetxattr:
    case SYS_lremovexattr: return open_path(caller, AT_FDCWD, arguments[0], AT_SYMLINK_NOFOLLOW);
    default: return -ENOSYS;
    }
}

static int set_mode(const char *own, uint64_t mode, const struct stat *status) {
    if (gives_rights((mode_t)mode, status)) return EPERM;
    return chmod(own, (mode_t)mode & 07777) == 0 ? 0 : errno;
}

/* The owner of the app's folder tells the host which user the app runs as, and that no other app does. */
static int set_owner(const char *own, uint64_t user, uint64_t group, const struct stat *status) {
    if (is_app_folder && (uid_t)user != (uid_t)-1 && (uid_t)user != status->st_uid) return EPERM;
    return chown(own, (uid_t)user, (gid_t)group) == 0 ? 0 : errno;
}

static int change(
    pid_t caller, int number, const uint64_t *arguments, const char *own, const struct stat *status) {
    switch (number) {
#ifdef SYS_chmod
    case SYS_chmod: return set_mode(own, arguments[1], status);
    case SYS_chown:
    case SYS_lchown: return set_owner(own, arguments[1], arguments[2], status);
    case SYS_utime: return set_seconds(caller, own, arguments[1]);
    case SYS_utimes: return set_old_times(caller, own, arguments[1]);
    case SYS_futimesat: return set_old_times(caller, own, arguments[2]);
#endif
    case SYS_fchmod: return set_mode(own, arguments[1], status);
    case SYS_fchmodat:
    case 452: return set_mode(own, arguments[2], status);
    case SYS_fchown: return set_owner(own, arguments[1], arguments[2], status);
    case SYS_fchownat: return set_owner(own, arguments[2], arguments[3], status);
    case SYS_utimensat: return set_new_times(caller, own, arguments[2]);
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_fsetxattr: return set_attribute(caller, own, arguments);
    default: return remove_attribute(caller, own, arguments);
    }
}

static int carry(const struct seccomp_notif *asked) {
    pid_t caller = (pid_t)asked->pid;
    uint64_t arguments[6];
    memcpy(arguments, asked->data.args, sizeof arguments);
    int file = open_target(caller, asked->data.nr, arguments);
    if (file < 0) return -file;
    char own[64];
    struct stat status;
    snprintf(own, sizeof own, "/proc/self/fd/%d", file);
    int fault = fstat(file, &status) == 0 ? 0 : errno;
    /* Else the number may mean another process by now. */
    if (!fault && ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) != 0) fault = ESRCH;
    if (!fault && !may_change(own, &status)) fault = EPERM;
    if (!fault) fault = change(caller, asked->data.nr, arguments, own, &status);
    close(file);
    return fault;
}

/* Which argument of a call that is about a thread names it; -1: the call is about a file. */
static int aim_at_thread(int number) {
    switch (number) {
    case SYS_prlimit64:
    case SYS_sched_setaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
    case SYS_migrate_pages:
    case SYS_move_pages:
    case SYS_get_robust_list: return 0;
    case SYS_setpriority:
    case SYS_ioprio_set: return 1;
    default: return -1;
    }
}

/* The call goes on by itself where it names a thread of the caller's own: which one is in a register of the caller, which waits.
   Another process can have that number only once the thread has ended and the kernel has made as many as there are numbers. */
static int is_of_own_thread(const struct seccomp_notif *asked, int aim) {
    char number[16];
    int length = snprintf(number, sizeof number, "%d", (int)asked->data.args[aim]);
    return is_of_caller((pid_t)asked->pid, number, (size_t)length) &&
           ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) == 0;
}

static void answer_one(const struct seccomp_notif *asked, struct seccomp_notif_resp *answer) {
    int aim = aim_at_thread(asked->data.nr);
    answer->id = asked->id;
    if (aim < 0) {
        answer->error = -carry(asked);
    } else if (is_of_own_thread(asked, aim)) {
        answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        answer->error = -EPERM;
    }
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer) == 0 || !answer->flags) return;
    /* Linux before 5.5 lets no call go on. */
    answer->flags = 0;
    answer->error = -EPERM;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
}

int64_t lull_broker_pause(struct lull_broker_pace *pace, int64_t now, int64_t used) {
    pace->debt += used - pace->used - (now - pace->at) / LULL_BROKER_SHARE;
    if (pace->debt < -LULL_BROKER_BURST) pace->debt = -LULL_BROKER_BURST;
    pace->at = now;
    pace->used = used;
    return pace->debt > 0 ? pace->debt * LULL_BROKER_SHARE : 0;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* One call may cost milliseconds here, and its caller nothing: a path of 38 links with 4,000 bytes each. */
static void keep_pace(struct lull_broker_pace *pace) {
    int64_t pause = lull_broker_pause(pace, nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID));
    if (pause > 0) nanosleep(&(struct timespec){pause / 1000000000, pause % 1000000000}, NULL);
}

static void answer_all(void) {
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) return;
    size_t room = sizes.seccomp_notif > sizeof(struct seccomp_notif) ? sizes.seccomp_notif : sizeof(struct seccomp_notif);
    size_t space = sizes.seccomp_notif_resp > sizeof(struct seccomp_notif_resp) ? sizes.seccomp_notif_resp
                                                                                 : sizeof(struct seccomp_notif_resp);
    struct seccomp_notif *asked = malloc(room);
    struct seccomp_notif_resp *answer = malloc(space);
    struct lull_broker_pace pace = {.debt = -LULL_BROKER_BURST, .at = nanoseconds(CLOCK_MONOTONIC)};
    while (asked && answer) {
        keep_pace(&pace);
        struct pollfd one = {.fd = listener, .events = POLLIN};
        if (poll(&one, 1, -1) < 0 && errno != EINTR) break;
        if (one.revents & POLLHUP) break;
        memset(asked, 0, room);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0) {
            /* The one that asked was interrupted or has ended. */
            if (errno == EINTR || errno == ENOENT) continue;
            break;
        }
        memset(answer, 0, space);
        answer_one(asked, answer);
    }
    free(asked);
    free(answer);
}

static void *serve(void *nothing) {
    if (adopt() == 0) answer_all();
    if (listener >= 0) close(listener);
    close(supervisors_end);
    return nothing;
}

void lull_broker_serve(void) {
    close(workers_end);
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    /* The supervisor's own thread is to be interrupted, not this one. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int fault = pthread_attr_init(&attributes);
    if (!fault) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, 128 << 10);
        fault = pthread_create(&thread, &attributes, serve, NULL);
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    /* The worker can't hand over its filter then, and refuses to run. */
    if (fault) close(supervisors_end);
}
