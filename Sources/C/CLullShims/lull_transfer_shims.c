#define _GNU_SOURCE
#include "lull_transfer_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int spawn_moved(char *const words[], char *const environment[], int error, int socket, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault) return fault;
    fault = posix_spawnattr_init(&attributes);
    if (fault) {
        posix_spawn_file_actions_destroy(&actions);
        return fault;
    }
    if (!(fault = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) &&
        !(fault = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) &&
        !(fault = posix_spawn_file_actions_adddup2(&actions, error, 2)) &&
        !(fault = posix_spawn_file_actions_adddup2(&actions, socket, 3)) &&
        !(fault = posix_spawn_file_actions_addclosefrom_np(&actions, 4)) &&
        !(fault = posix_spawnattr_setsigmask(&attributes, &none)) &&
        !(fault = posix_spawnattr_setsigdefault(&attributes, &all)) &&
        !(fault = posix_spawnattr_setpgroup(&attributes, 0)) &&
        !(fault = posix_spawnattr_setflags(
              &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))) {
        fault = posix_spawn(pid, words[0], &actions, &attributes, words, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

int lull_spawn_transfer(const char *executable, const char *mark, char *const environment[], int error, int socket, pid_t *pid) {
    char *const words[] = {(char *)executable, (char *)mark, NULL};
    /* Out of the way of the numbers that they are to have. */
    int moved_error = fcntl(error, F_DUPFD_CLOEXEC, 10);
    int fault = moved_error < 0 ? errno : 0;
    int moved_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    if (!fault && moved_socket < 0) fault = errno;
    if (!fault) fault = spawn_moved(words, environment, moved_error, moved_socket, pid);
    if (moved_error >= 0) close(moved_error);
    if (moved_socket >= 0) close(moved_socket);
    return fault;
}

int lull_become_numbers(uint32_t user, uint32_t group) {
    gid_t none = 0;
    if (setgroups(0, &none) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) {
        return errno;
    }
    return 0;
}

void lull_hide_process(void) {
    struct rlimit nothing = {0, 0};
    setrlimit(RLIMIT_CORE, &nothing);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void lull_write_back(int descriptor, long long offset, long long bytes) {
    sync_file_range(descriptor, offset, bytes, SYNC_FILE_RANGE_WRITE);
}
