#define _GNU_SOURCE
#include "lull_worker_shims.h"

#include "lull_supervisor_shims.h"
#include "lull_passing_shims.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

int lull_frame_sockets(int ends[2], int buffer_bytes) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    for (int i = 0; i < 2 && buffer_bytes > 0; i++) {
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    lull_refuse_descriptors(ends[0]);
    return 0;
}

int lull_output_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return 0;
}

ssize_t lull_send(int descriptor, const void *bytes, size_t count, int waits) {
    for (;;) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
        if (sent >= 0) return sent;
        if (errno != EINTR) return -errno;
    }
}

ssize_t lull_receive(int descriptor, void *bytes, size_t capacity, int waits) {
    return lull_receive_alone(descriptor, bytes, capacity, MSG_TRUNC | (waits ? 0 : MSG_DONTWAIT));
}

int lull_is_hung_up(int descriptor) {
    struct pollfd one = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&one, 1, 0) == 1 && (one.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

int lull_wait_readable(int descriptor, int milliseconds) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    return poll(&one, 1, milliseconds) == 1;
}

/* The variables that an app may inherit. No LD_*, nothing of the host's own. */
static int is_harmless(const char *variable) {
    static const char *const names[] = {
        "PATH=", "HOME=", "USER=", "LOGNAME=", "SHELL=", "TMPDIR=", "LANG=", "LANGUAGE=", "LC_", "TZ=", "XDG_",
        "SSH_AUTH_SOCK=", "DBUS_SESSION_BUS_ADDRESS=", "LULL_LOG_PRIVATE=", "http_proxy=", "https_proxy=", "no_proxy=",
        "HTTP_PROXY=", "HTTPS_PROXY=", "NO_PROXY=",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0) return 1;
    }
    return 0;
}

static char **harmless_environment(const char *marker) {
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **result = calloc(count + 2, sizeof *result);
    if (!result) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (is_harmless(environ[i])) result[kept++] = environ[i];
    }
    result[kept] = (char *)marker;
    return result;
}

enum { MOST_GIVEN = LULL_SUPERVISOR_GROUP + 1 };

/* The descriptors have been moved out of the way of those that they are to become; a negative one is /dev/null. */
static int spawn_moved(
    char *const words[], char *const environment[], const int moved[], int count, pid_t *pid) {
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
    for (int i = 0; i < count && !fault; i++) {
        fault = moved[i] >= 0
                    ? posix_spawn_file_actions_adddup2(&actions, moved[i], i)
                    : posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
    }
    if (!fault && !(fault = posix_spawn_file_actions_addclosefrom_np(&actions, count)) &&
        !(fault = posix_spawnattr_setsigmask(&attributes, &none)) &&
        !(fault = posix_spawnattr_setsigdefault(&attributes, &all)) &&
        !(fault = posix_spawnattr_setflags(
              &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID))) {
        fault = posix_spawnp(pid, words[0], &actions, &attributes, words, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

static int spawn_with(
    char *const words[], char *const environment[], const int given[], int count, pid_t *pid) {
    int moved[MOST_GIVEN], fault = 0;
    for (int i = 0; i < count; i++) {
        moved[i] = given[i] >= 0 && !fault ? fcntl(given[i], F_DUPFD_CLOEXEC, 10) : -1;
        if (given[i] >= 0 && moved[i] < 0 && !fault) fault = errno;
    }
    if (!fault) fault = spawn_moved(words, environment, moved, count, pid);
    for (int i = 0; i < count; i++) {
        if (moved[i] >= 0) close(moved[i]);
    }
    return fault;
}

int lull_spawn(
    const char *executable, const char *marker, int output, int error, int socket, int link, int group, pid_t *pid) {
    const int given[MOST_GIVEN] = {-1, output, error, socket, link, group};
    char *const words[] = {(char *)executable, NULL};
    char **environment = harmless_environment(marker);
    if (!environment) return ENOMEM;
    int fault = spawn_with(words, environment, given, group >= 0 ? MOST_GIVEN : MOST_GIVEN - 1, pid);
    free(environment);
    return fault;
}

int lull_spawn_program(char *const words[], char *const environment[], const int streams[3], pid_t *pid) {
    return words[0] ? spawn_with(words, environment, streams, 3, pid) : ENOENT;
}

int lull_pidfd(pid_t pid) {
    /* The kernel closes a pidfd on exec by itself. */
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    return descriptor >= 0 ? descriptor : -errno;
}

int lull_pidfd_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) == 0 ? 0 : errno;
}

static int reap(idtype_t type, id_t id, int options, int *status) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    if (waitid(type, id, &info, WEXITED | WNOHANG | options) != 0) return -errno;
    if (info.si_pid == 0) return 0;
    *status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status & 0x7f;
    return 1;
}

int lull_reap(int pidfd, int keeps, int *status) {
    return reap((idtype_t)P_PIDFD, (id_t)pidfd, keeps ? WNOWAIT : 0, status);
}

int lull_reap_pid(pid_t pid, int keeps, int *status) {
    return reap(P_PID, (id_t)pid, keeps ? WNOWAIT : 0, status);
}

int lull_used_by_ended(pid_t pid, struct lull_used *used) {
    siginfo_t info = {.si_pid = 0};
    struct rusage usage;
    /* The kernel's call has one argument more than the library's. */
    if (syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT, &usage) != 0 || info.si_pid == 0) return 0;
    const struct timeval *user = &usage.ru_utime, *system = &usage.ru_stime;
    used->microseconds = (int64_t)(user->tv_sec + system->tv_sec) * 1000000 + user->tv_usec + system->tv_usec;
    used->peak = (int64_t)usage.ru_maxrss << 10;
    used->read = (int64_t)usage.ru_inblock << 9;
    used->written = (int64_t)usage.ru_oublock << 9;
    return 1;
}

int lull_memory_file(void) {
    int file = memfd_create("lull", MFD_CLOEXEC);
    return file >= 0 ? file : -errno;
}

int lull_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 ? 0 : errno; }

void lull_print_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }

void lull_flush_output(void) { fflush(stdout); }

struct build_id {
    ElfW(Addr) address;
    uint8_t *bytes;
    size_t capacity, length;
};

static int holds(const struct dl_phdr_info *object, ElfW(Addr) address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        ElfW(Addr) begin = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && address >= begin && address - begin < header->p_memsz) return 1;
    }
    return 0;
}

static void find_note(const uint8_t *notes, size_t size, struct build_id *wanted) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, body = (note.n_descsz + 3u) & ~(size_t)3;
        if (name > size - sizeof note || body > size - sizeof note - name) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + sizeof note, "GNU", 4) == 0) {
            wanted->length = note.n_descsz < wanted->capacity ? note.n_descsz : wanted->capacity;
            memcpy(wanted->bytes, notes + sizeof note + name, wanted->length);
            return;
        }
        notes += sizeof note + name + body;
        size -= sizeof note + name + body;
    }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct build_id *wanted = context;
    if (!holds(object, wanted->address)) return 0;
    for (int i = 0; i < object->dlpi_phnum && wanted->length == 0; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_NOTE) continue;
        find_note((const uint8_t *)(object->dlpi_addr + header->p_vaddr), header->p_memsz, wanted);
    }
    return 1;
}

size_t lull_build_id(const void *address, uint8_t *bytes, size_t capacity) {
    struct build_id wanted = {.address = (ElfW(Addr))address, .bytes = bytes, .capacity = capacity};
    dl_iterate_phdr(visit, &wanted);
    return wanted.length;
}

int lull_limit_sends(int descriptor, int milliseconds) {
    struct timeval time = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    return setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time) == 0 ? 0 : errno;
}

uint64_t lull_thread(void) { return (uint64_t)syscall(SYS_gettid); }
