/* Acts on files that no other plugin tries: by walks through everything, by ioctls of file systems, by the folders for temporary
 * files themselves. */
#ifndef ASSAULT_FILES_H
#define ASSAULT_FILES_H

#include "aim.h"

#include <ftw.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>

static int closing(int descriptor, int result) {
    int fault = errno;
    if (descriptor >= 0) close(descriptor);
    errno = fault;
    return result < 0 ? -1 : 0;
}

/* The folders for temporary files are everybody's: files in them may be changed, the folders may not. */
static int a_mode_of_temporaries(void) { return chmod("/tmp", 01777); }
static int a_mode_by_descriptor(void) {
    int folder = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return closing(folder, fchmod(folder, 01777));
}
static int a_mode_by_dot(void) { return chdir("/tmp") == 0 ? closing(-1, chmod(".", 01777)) : -1; }
static int a_mode_by_parent(void) {
    mkdir("/tmp/lull-assault", 0700);
    int result = chmod("/tmp/lull-assault/..", 01777);
    rmdir("/tmp/lull-assault");
    return result;
}
static int a_owner_of_temporaries(void) { return chown("/var/tmp", 0, 0); }
static int a_attribute_of_temporaries(void) { return setxattr("/tmp", "user.assault", "x", 1, 0); }
static int a_temporaries_removed(void) { return rename("/var/tmp", "/var/tmp.old"); }
static int a_parent_folder(void) { return chmod("..", 0777); }
static int a_parent_removed(void) { return rename("../com.example.Other", "../com.example.Another"); }
/* The folder's owner tells the host which user the app runs as, and that no other app does. */
static int a_own_folder_given(void) {
    /* The account of another app. */
    return chown(the_host->state_dir, 0x70000001, (gid_t)-1);
}
static int a_own_folder_moved(void) { return rename("../com.example.Outreach", "../com.example.Moved"); }
static int a_own_folder_removed(void) {
    int result = rmdir(the_host->state_dir);
    if (result != 0 && errno == ENOTEMPTY) errno = EACCES;
    return result;
}

static int a_root_in_proc(void) {
    char path[600];
    snprintf(path, sizeof path, "/proc/self/root%s", file);
    return chmod(path, 0666);
}
static int a_supervisors_folder(void) {
    char path[640];
    snprintf(path, sizeof path, "/proc/%d/cwd%s", (int)getppid(), file);
    return chmod(path, 0666);
}
static int a_through_many(void) {
    char path[700];
    snprintf(path, sizeof path, "../../../state/apps/../..%s", strrchr(file, '/') - 5);
    return chmod(path, 0666);
}
static int a_link_to_descriptor(void) {
    char path[64];
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    unlink("magic");
    int result = symlink(path, "magic") != 0 ? -1 : closing(descriptor, chmod("magic", 0700));
    return result;
}
static int a_owner_unchanged(void) { return chown(file, (uid_t)-1, (gid_t)-1); }
static int a_mode_with_flags(void) {
    int descriptor = open(file, O_PATH | O_CLOEXEC);
    return closing(descriptor, (int)syscall(452, descriptor, "", 0666, 0x1000 /* AT_EMPTY_PATH */));
}
static int a_own_rights(void) { return chmod(own, 04755); }
static int a_own_rights_hidden(void) { return (int)syscall(SYS_fchmodat, AT_FDCWD, own, 0xffff0000u | 04755); }
static int a_node_with_rights(void) {
    unlink("node");
    return mknod("node", S_IFREG | 04755, 0);
}
static int a_unnamed_with_rights(void) {
    int descriptor = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 06755);
    return closing(descriptor, descriptor);
}
static int a_capability_of_own(void) {
    /* CAP_SYS_ADMIN, permitted and effective. */
    static const uint32_t value[] = {0x02000001, 1 << 21, 0, 0, 0};
    return setxattr(own, "security.capability", value, sizeof value, 0);
}
static int a_attribute_too_long(void) {
    static char value[70000];
    return setxattr(file, "user.kept", value, sizeof value, 0);
}

/* The ioctls of file systems: to freeze, resize or shut them down, and to make subvolumes. */
static int a_doors(void) {
    static const unsigned long doors[] = {
        0xc0045877 /* FIFREEZE */, 0xc0045878 /* FITHAW */, 0x8004587d /* EXT4_IOC_SHUTDOWN */,
        0x6611 /* EXT4_IOC_SWAP_BOOT */, 0x40086610 /* EXT4_IOC_RESIZE_FS */, 0x4004662b /* EXT4_IOC_CHECKPOINT */,
        0x4008662c /* EXT4_IOC_SETFSUUID */, 0x41009432 /* FS_IOC_SETFSLABEL */, 0x5000940e /* BTRFS_IOC_SUBVOL_CREATE */,
        0x50009401 /* BTRFS_IOC_SNAP_CREATE */, 0x50009417 /* BTRFS_IOC_SNAP_CREATE_V2 */,
        0x50009418 /* BTRFS_IOC_SUBVOL_CREATE_V2 */, 0x5000940f /* BTRFS_IOC_SNAP_DESTROY */,
    };
    static char argument[8192];
    int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = -1;
    for (size_t i = 0; i < sizeof doors / sizeof *doors && result != 0; i++) {
        memset(argument, 0, sizeof argument);
        if (ioctl(folder, doors[i], argument) == 0) result = 0;
    }
    return closing(folder, result);
}
static int a_subvolume(void) {
    static char argument[4096];
    int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = ioctl(folder, 0x5000940eUL, argument);
    /* ENOTTY: the file system has none, but the filter has let the call through. */
    return closing(folder, result != 0 && errno == ENOTTY ? 0 : result);
}

/* The walks look for files that can be opened and should not be. The last one found is in `walked`. */
static char walked[600];
static int steps;

static int is_own_place(const char *path) {
    static const char *const open_to_all[] = {"/tmp", "/var/tmp", "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                              "/dev/urandom"};
    for (size_t i = 0; i < sizeof open_to_all / sizeof *open_to_all; i++) {
        size_t length = strlen(open_to_all[i]);
        if (strncmp(path, open_to_all[i], length) == 0 && (path[length] == 0 || path[length] == '/')) return 1;
    }
    return strncmp(path, the_host->state_dir, strlen(the_host->state_dir)) == 0;
}

static int try_to_write(const char *path, const struct stat *status, int type, struct FTW *place) {
    if (is_own_place(path) || strstr(path, "watchdog") || strncmp(path, "/proc/", 6) == 0) return FTW_SKIP_SUBTREE;
    if (place->level > 6 || ++steps > 60000) return FTW_SKIP_SUBTREE;
    if (type == FTW_D) {
        char below[700];
        snprintf(below, sizeof below, "%s/lull-assault", path);
        if (mkdir(below, 0700) == 0) {
            rmdir(below);
            snprintf(walked, sizeof walked, "%.590s/", path);
        }
    } else if (S_ISREG(status->st_mode) || S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) {
        int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor >= 0) {
            close(descriptor);
            snprintf(walked, sizeof walked, "%.590s", path);
        }
    }
    return FTW_CONTINUE;
}

static int walk(const char *root, int (*look)(const char *, const struct stat *, int, struct FTW *)) {
    walked[0] = 0;
    steps = 0;
    nftw(root, look, 16, FTW_PHYS | FTW_ACTIONRETVAL);
    if (walked[0]) fprintf(stderr, "opened: %s\n", walked);
    errno = EACCES;
    return walked[0] ? 0 : -1;
}
static int a_any_file(void) { return walk("/", try_to_write); }
static int a_any_of_machine(void) { return walk("/sys", try_to_write); }
static int a_any_device(void) { return walk("/dev", try_to_write); }
static int a_any_of_state(void) {
    char folder[600];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(state, '/') - state), state);
    return walk(folder, try_to_write);
}

static int try_setting(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)place;
    if (type != FTW_F || !(status->st_mode & 0222)) return FTW_CONTINUE;
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return FTW_CONTINUE;
    close(descriptor);
    snprintf(walked, sizeof walked, "%.590s", path);
    return FTW_CONTINUE;
}
static int a_any_setting(void) { return walk("/proc/sys", try_setting); }

/* Screens, keyboards, and disks by other than block devices. */
static int a_any_secret_device(void) {
    static const char *const names[] = {"/dev/mem", "/dev/port", "/dev/kmsg", "/dev/nvram", "/dev/vcs", "/dev/vcsa1",
                                        "/dev/input/event0", "/dev/hidraw0", "/dev/sg0", "/dev/bsg/0:0:0:0", "/dev/mtd0",
                                        "/dev/ng0n1", "/dev/ubi0", "/dev/tty", "/dev/tty1", "/dev/ttyS0", "/dev/console",
                                        "/dev/snapshot", "/dev/vda", "/dev/vhost-net", "/dev/uinput", "/dev/cpu/0/msr"};
    int result = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names && result != 0; i++) {
        result = opens(names[i], O_RDONLY | O_NONBLOCK);
        if (result == 0) fprintf(stderr, "opened: %s\n", names[i]);
    }
    return result;
}

#endif
