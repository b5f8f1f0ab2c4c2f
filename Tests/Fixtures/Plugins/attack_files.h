/* Acts on files: names, links, leases, devices, and races with the broker of modes. */
#ifndef ATTACK_FILES_H
#define ATTACK_FILES_H

#include "aim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

/* A name beside the other user's file. */
static const char *beside(const char *name) {
    static char path[600];
    snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(file, '/') - file), file, name);
    return path;
}

/* Closes `descriptor`, and keeps errno; -1 if `result` is negative, else 0. */
static int closing(int descriptor, int result) {
    int fault = errno;
    if (descriptor >= 0) close(descriptor);
    errno = fault;
    return result < 0 ? -1 : 0;
}

static int a_lease(void) {
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    return closing(descriptor, fcntl(descriptor, F_SETLEASE, F_WRLCK));
}
static int a_read_lease(void) {
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    return closing(descriptor, fcntl(descriptor, F_SETLEASE, F_RDLCK));
}
static int a_rename_out(void) { return rename(own, beside("out")); }
static int a_rename_in(void) { return rename(file, "in"); }
static int a_exchange(void) { return renameat2(AT_FDCWD, own, AT_FDCWD, file, RENAME_EXCHANGE); }
static int a_whiteout(void) { return renameat2(AT_FDCWD, file, AT_FDCWD, beside("white"), RENAME_WHITEOUT); }
static int a_link_out(void) { return link(own, beside("link")); }
static int a_link_by_descriptor(void) {
    char path[64];
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return closing(descriptor, linkat(AT_FDCWD, path, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW));
}
static int a_unnamed_out(void) {
    char path[64];
    int descriptor = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return closing(descriptor, linkat(AT_FDCWD, path, AT_FDCWD, beside("unnamed"), AT_SYMLINK_FOLLOW));
}
static int a_symlink_out(void) { return symlink("/", beside("symlink")); }
static int a_pipe_out(void) { return mkfifo(beside("pipe"), 0666); }
static int a_folder_out(void) { return mkdir(beside("folder"), 0777); }
static int a_socket_out(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.*s", (int)sizeof address.sun_path - 1, beside("s"));
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return closing(descriptor, bind(descriptor, (struct sockaddr *)&address, sizeof address));
}
static int a_through_link(void) {
    unlink("through");
    return symlink(file, "through") != 0 ? -1 : opens("through", O_WRONLY | O_TRUNC);
}
static int a_reopen(void) {
    char path[64];
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return closing(descriptor, opens(path, O_WRONLY));
}
static int a_reopen_secret(void) {
    char path[64];
    int descriptor = open(secret, O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return closing(descriptor, opens(path, O_RDONLY));
}
static int a_handle(void) {
    union {
        struct file_handle handle;
        char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } name = {.handle = {.handle_bytes = MAX_HANDLE_SZ}};
    int mount;
    if (name_to_handle_at(AT_FDCWD, secret, &name.handle, &mount, 0) != 0) return -1;
    int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int opened = open_by_handle_at(folder, &name.handle, O_RDONLY);
    return closing(folder, closing(opened, opened));
}
static int a_run_secret(void) { return execl(secret, secret, (char *)NULL); }
static int a_host_lock(void) {
    char path[600];
    snprintf(path, sizeof path, "%.*s/lock", (int)(strrchr(state, '/') - state), state);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return closing(descriptor, descriptor < 0 ? -1 : flock(descriptor, LOCK_SH));
}
/* A disk holds everybody's files. */
static int a_disk(void) {
    DIR *devices = opendir("/dev");
    int result = -1, fault = EACCES;
    for (struct dirent *entry; devices && result < 0 && (entry = readdir(devices));) {
        char path[300];
        struct stat status;
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        if (lstat(path, &status) != 0 || !S_ISBLK(status.st_mode)) continue;
        if ((result = opens(path, O_RDONLY | O_NONBLOCK)) < 0 && errno != ENXIO && errno != ENOMEDIUM) fault = errno;
    }
    if (devices) closedir(devices);
    errno = fault;
    return result;
}
static int opens_one(const char *const *paths, int flags) {
    int fault = ENOENT;
    for (; *paths; paths++) {
        if (opens(*paths, flags | O_NONBLOCK) == 0) return 0;
        if (errno != ENOENT && errno != ENODEV && errno != ENXIO) fault = errno;
    }
    errno = fault;
    return -1;
}
static int a_memory_device(void) {
    return opens_one((const char *const[]){"/dev/mem", "/dev/port", "/proc/kcore", NULL}, O_RDONLY);
}
static int a_device(void) {
    return opens_one(
        (const char *const[]){"/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control", "/dev/uinput",
                              "/dev/userfaultfd", "/dev/vhost-net", "/dev/console", "/dev/tty", "/dev/tty0",
                              "/dev/kmsg", "/dev/rtc0", NULL},
        O_RDWR);
}
static int a_queue_file(void) { return opens("/dev/mqueue/lull", O_RDWR | O_CREAT); }
static int a_acl(void) {
    static const char everybody[] = "\2\0\0\0\1\0\7\0\377\377\377\377\4\0\7\0\377\377\377\377\40\0\7\0\377\377\377\377";
    return setxattr(file, "system.posix_acl_access", everybody, sizeof everybody - 1, 0);
}
static int a_capability(void) {
    static const char all[20] = "\1\0\0\2\377\377\377\377";
    return setxattr(own, "security.capability", all, sizeof all, 0);
}
static int a_trusted(void) { return setxattr(own, "trusted.overlay.opaque", "y", 1, 0); }
static int a_times_by_null(void) { return (int)syscall(SYS_utimensat, AT_FDCWD, file, NULL, 0x7fffffff); }

/* The broker reads paths where the kernel's own process is another's. */
static int by_odd_path(const char *pattern) {
    char path[128];
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, pattern, descriptor);
    return closing(descriptor, chmod(path, 0666));
}
static int a_odd_self(void) { return by_odd_path("//proc/self/fd/%d"); }
static int a_odd_thread(void) { return by_odd_path("/proc/./thread-self/fd/%d"); }
static int a_odd_task(void) { return by_odd_path("/dev/../proc/self/task/../fd/%d"); }
static int a_supervisors_descriptors(void) {
    char path[64];
    int result = -1;
    for (int i = 0; i < 40 && result < 0; i++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), i);
        result = chmod(path, 0666);
    }
    return result;
}
static int a_empty_name(void) {
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    return closing(descriptor, (int)syscall(452, descriptor, "", 0666, AT_EMPTY_PATH));
}
static int a_null_name(void) {
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    return closing(descriptor, (int)syscall(SYS_fchownat, descriptor, NULL, 65534, 65534, AT_EMPTY_PATH));
}
static int a_bad_address(void) {
    if (chmod((const char *)16, 0666) == 0) return 0;
    return (int)syscall(SYS_utimensat, AT_FDCWD, file, 16L, 0);
}
static int a_long_path(void) {
    static char path[8192];
    size_t length = 0;
    while (length < 4090) length += (size_t)snprintf(path + length, sizeof path - length, "/.");
    snprintf(path + length, sizeof path - length, "%s", file);
    return chmod(path, 0666);
}

/* Races: while one thread exchanges the target of a name, a link, a folder or a descriptor, the other changes its mode. The test looks
   at the file from outside. */
static atomic_bool is_over;
static char raced[600];
static int raced_descriptor;

static int race(void *(*exchange)(void *), int (*change)(void)) {
    pthread_t other;
    atomic_store(&is_over, false);
    if (pthread_create(&other, NULL, exchange, NULL) != 0) return -1;
    for (int i = 0; i < 1500; i++) change();
    atomic_store(&is_over, true);
    pthread_join(other, NULL);
    errno = EAGAIN;
    return -1;
}
static int change_raced(void) { return chmod(raced, 0666); }
static int change_raced_descriptor(void) { return fchmod(raced_descriptor, 0666); }
static void *exchange_name(void *nothing) {
    while (!atomic_load(&is_over)) {
        memcpy(raced, file, strlen(file) + 1);
        memcpy(raced, own, strlen(own) + 1);
    }
    return nothing;
}
static int a_race_name(void) { return race(exchange_name, change_raced); }
static void *exchange_link(void *nothing) {
    while (!atomic_load(&is_over)) renameat2(AT_FDCWD, "link-1", AT_FDCWD, "link-2", RENAME_EXCHANGE);
    return nothing;
}
static int a_race_link(void) {
    if (symlink(own, "link-1") != 0 || symlink(file, "link-2") != 0) return -1;
    snprintf(raced, sizeof raced, "link-1");
    return race(exchange_link, change_raced);
}
static void *exchange_folder(void *nothing) {
    while (!atomic_load(&is_over)) renameat2(AT_FDCWD, "folder-1", AT_FDCWD, "folder-2", RENAME_EXCHANGE);
    return nothing;
}
static int a_race_folder(void) {
    char target[600];
    snprintf(target, sizeof target, "%s", beside("."));
    if (mkdir("folder-1", 0700) != 0 || opens("folder-1/file", O_WRONLY | O_CREAT) != 0) return -1;
    if (symlink(target, "folder-2") != 0) return -1;
    snprintf(raced, sizeof raced, "folder-1/file");
    return race(exchange_folder, change_raced);
}
static void *exchange_descriptor(void *nothing) {
    int one = open(own, O_RDONLY | O_CLOEXEC), other = open(file, O_RDONLY | O_CLOEXEC);
    while (!atomic_load(&is_over)) {
        dup2(one, raced_descriptor);
        dup2(other, raced_descriptor);
    }
    close(one);
    close(other);
    return nothing;
}
static int a_race_descriptor(void) {
    raced_descriptor = open(own, O_RDONLY | O_CLOEXEC);
    return closing(raced_descriptor, race(exchange_descriptor, change_raced_descriptor));
}
/* A thread may have its own current folder, which differs from that of other threads. */
static void *stand_elsewhere(void *result) {
    if (unshare(CLONE_FS) != 0 || chdir(beside(".")) != 0) return NULL;
    *(int *)result = chmod("file", 0666);
    return NULL;
}
static int a_threads_folder(void) {
    pthread_t other;
    int result = -1;
    if (opens("file", O_WRONLY | O_CREAT) != 0) return -1;
    if (pthread_create(&other, NULL, stand_elsewhere, &result) != 0) return -1;
    pthread_join(other, NULL);
    errno = EPERM;
    return result;
}

#endif
