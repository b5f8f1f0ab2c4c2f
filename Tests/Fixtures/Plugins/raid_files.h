/* Acts on files that no other plugin tries: their content by other calls than `write`, and files of processes in other mount namespaces. */
#ifndef RAID_FILES_H
#define RAID_FILES_H

#include "aim.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>

static int closing(int descriptor, int result) {
    int fault = errno;
    if (descriptor >= 0) close(descriptor);
    errno = fault;
    return result < 0 ? -1 : 0;
}

/* Content, by a descriptor that is for reading. */
static int on_file(int flags, int (*act)(int)) {
    int descriptor = open(file, flags | O_CLOEXEC);
    return descriptor < 0 ? -1 : closing(descriptor, act(descriptor));
}
static int grow(int to) { return fallocate(to, 0, 0, 1 << 16); }
static int punch(int to) { return fallocate(to, 3, 0, 2); }
static int collapse(int to) { return fallocate(to, 8, 0, 4096); }
static int copy_in(int to) {
    int from = open(own, O_RDWR | O_CLOEXEC);
    ssize_t count = write(from, "raided", 6) == 6 ? copy_file_range(from, &(off_t){0}, to, &(off_t){0}, 6, 0) : -1;
    return closing(from, count < 0 ? -1 : 0);
}
static int send_in(int to) {
    int from = open(own, O_RDONLY | O_CLOEXEC);
    return closing(from, sendfile(to, from, &(off_t){0}, 6) < 0 ? -1 : 0);
}
static int splice_in(int to) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    if (write(ends[1], "raided", 6) != 6) return -1;
    ssize_t count = splice(ends[0], NULL, to, &(off_t){0}, 6, 0);
    close(ends[1]);
    return closing(ends[0], count < 0 ? -1 : 0);
}
static int clone_in(int to) {
    int from = open(own, O_RDONLY | O_CLOEXEC);
    return closing(from, ioctl(to, FICLONE, from));
}
static int write_in(int to) { return pwritev2(to, &(struct iovec){"raided", 6}, 1, 0, 0) < 0 ? -1 : 0; }
static int map_in(int to) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
    return memory == MAP_FAILED ? -1 : munmap(memory, 4096);
}
static int map_later(int to) {
    void *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, to, 0);
    if (memory == MAP_FAILED) return -1;
    int result = mprotect(memory, 4096, PROT_READ | PROT_WRITE), fault = errno;
    munmap(memory, 4096);
    errno = fault;
    return result;
}
static int cut(int to) { return ftruncate(to, 0); }
static int a_grow(void) { return on_file(O_RDONLY, grow); }
static int a_punch(void) { return on_file(O_RDONLY, punch); }
static int a_collapse(void) { return on_file(O_RDONLY, collapse); }
static int a_copy_in(void) { return on_file(O_RDONLY, copy_in); }
static int a_send_in(void) { return on_file(O_RDONLY, send_in); }
static int a_splice_in(void) { return on_file(O_RDONLY, splice_in); }
static int a_clone_in(void) { return on_file(O_RDONLY, clone_in); }
static int a_write_in(void) { return on_file(O_RDONLY, write_in); }
static int a_map_in(void) { return on_file(O_RDONLY, map_in); }
static int a_map_later(void) { return on_file(O_RDONLY, map_later); }
static int a_cut(void) { return on_file(O_RDONLY, cut); }
static int a_cut_at_opening(void) { return on_file(O_RDONLY | O_TRUNC, cut); }
static int a_cut_without_access(void) { return on_file(3 | O_TRUNC, cut); }
static int a_write_without_access(void) { return on_file(3, write_in); }
static int a_cut_by_descriptor(void) {
    char path[64];
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return closing(descriptor, truncate(path, 0));
}
static int a_append(void) { return opens(file, O_WRONLY | O_APPEND); }
static int a_made_anew(void) { return opens(file, O_WRONLY | O_CREAT | O_TRUNC); }
static int a_removed(void) { return unlink(file); }
static int a_made_by_mknod(void) {
    char path[600];
    snprintf(path, sizeof path, "%s.mknod", file);
    return mknod(path, S_IFREG | 0666, 0);
}

/* Flags, keys, seals and labels of a file, by numbers of `ioctl`. */
static int by_number(unsigned long number, int flags) {
    static unsigned long room[64];
    memset(room, 0, sizeof room);
    int descriptor = open(file, flags | O_CLOEXEC);
    return descriptor < 0 ? -1 : closing(descriptor, ioctl(descriptor, number, room));
}
static int a_flags(void) { return by_number(FS_IOC_SETFLAGS, O_RDONLY); }
static int a_flags_high(void) { return by_number(FS_IOC_SETFLAGS | 0x100000000UL, O_RDONLY); }
static int a_flags_without_access(void) { return by_number(FS_IOC_SETFLAGS, 3); }
static int a_project(void) { return by_number(FS_IOC_FSSETXATTR, 3); }
static int a_key_of_disk(void) { return by_number(0xc0506617, O_RDONLY); }
static int a_moved_blocks(void) { return by_number(0xc028660f /* EXT4_IOC_MOVE_EXT */, O_RDONLY); }
static int a_swapped_loader(void) { return by_number(0x6611 /* EXT4_IOC_SWAP_BOOT */, O_RDONLY); }
static int a_extents(void) { return by_number(0x6609 /* EXT4_IOC_MIGRATE */, O_RDONLY); }
static int a_shut_down(void) { return by_number(0x8004587d /* FS_IOC_SHUTDOWN */, O_RDONLY); }
static int a_checkpoint_of_disk(void) { return by_number(0x4004662b /* EXT4_IOC_CHECKPOINT */, O_RDONLY); }
static int a_name_of_disk(void) { return by_number(0x4100662c /* EXT4_IOC_SETFSUUID */, O_RDONLY); }
static int a_disk_without_access(void) {
    static const char *const names[] = {"/dev/vda", "/dev/sda", "/dev/loop0", "/dev/nvme0n1", "/dev/dm-0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int descriptor = open(names[i], 3 | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) continue;
        int result = ioctl(descriptor, BLKFLSBUF, 0);
        return closing(descriptor, result);
    }
    errno = EACCES;
    return -1;
}

/* Processes of the same user, or that root may inspect, in other mount namespaces (a container, `PrivateTmp=`): their /tmp is not the app's.
   Also their open files. */
static int change_mode(const char *path) { return chmod(path, 0666); }
static int change_time(const char *path) { return utimensat(AT_FDCWD, path, NULL, 0); }
static int change_owner(const char *path) { return chown(path, (uid_t)-1, getgid()); }
static int change_attribute(const char *path) { return setxattr(path, "user.raid", "x", 1, 0); }
static int of_anybody(const char *pattern, int (*act)(const char *)) {
    DIR *all = opendir("/proc");
    int result = -1, fault = ENOENT;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char path[128];
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || pid == getpid()) continue;
        snprintf(path, sizeof path, pattern, (int)pid);
        if (act(path) == 0) result = 0;
        if (result < 0 && errno != ENOENT) fault = errno;
    }
    if (all) closedir(all);
    errno = fault;
    return result;
}
#define ELSEWHERE "/proc/%d/root/tmp/lull-elsewhere"
static int a_elsewhere_mode(void) { return of_anybody(ELSEWHERE, change_mode); }
static int a_elsewhere_time(void) { return of_anybody(ELSEWHERE, change_time); }
static int a_elsewhere_owner(void) { return of_anybody(ELSEWHERE, change_owner); }
static int a_elsewhere_attribute(void) { return of_anybody(ELSEWHERE, change_attribute); }
static int a_elsewhere_by_folder(void) { return of_anybody("/proc/%d/cwd/lull-elsewhere", change_mode); }
static int a_elsewhere_by_task(void) { return of_anybody("/proc/self/root" ELSEWHERE, change_mode); }
static int a_elsewhere_by_dots(void) { return of_anybody("/proc/self/../%d/root/tmp/lull-elsewhere", change_mode); }
static int a_elsewhere_by_device(void) { return of_anybody("/dev/fd/../../%d/root/tmp/lull-elsewhere", change_mode); }
static int a_elsewhere_by_link(void) {
    DIR *all = opendir("/proc");
    int result = -1, fault = ENOENT;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char path[128];
        if (atoi(entry->d_name) <= 0) continue;
        snprintf(path, sizeof path, "/proc/%d/root/tmp", atoi(entry->d_name));
        unlink("way");
        if (symlink(path, "way") == 0 && chmod("way/lull-elsewhere", 0666) == 0) result = 0;
        if (result < 0 && errno != ENOENT) fault = errno;
    }
    if (all) closedir(all);
    errno = fault;
    return result;
}
static int a_left_open_time(void) { return of_anybody("/proc/%d/fd/77", change_time); }
static int a_left_open_mode(void) { return of_anybody("/proc/%d/fd/77", change_mode); }
static int a_left_open_attribute(void) { return of_anybody("/proc/%d/fd/77", change_attribute); }
static int a_written_elsewhere(void) {
    DIR *all = opendir("/proc");
    int result = -1, fault = ENOENT;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char path[128];
        if (atoi(entry->d_name) <= 0) continue;
        snprintf(path, sizeof path, "/proc/%d/root/tmp/lull-elsewhere", atoi(entry->d_name));
        if (opens(path, O_WRONLY) == 0) result = 0;
        if (result < 0 && errno != ENOENT) fault = errno;
    }
    if (all) closedir(all);
    errno = fault;
    return result;
}

#endif
