/* Tries the act that the launched task is named after, and logs the result. */
#define _GNU_SOURCE
#include "fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[1024], number[32];

static int opens(const char *file, int flags) {
    int descriptor = open(file, flags | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    return close(descriptor);
}

static int connects(int type) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(number))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int descriptor = socket(AF_INET, type, 0);
    if (descriptor < 0) return -1;
    int result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
    int fault = errno;
    close(descriptor);
    errno = fault;
    return result;
}

static int reads_memory_of(pid_t pid) {
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)pid);
    return opens(memory, O_RDWR);
}

static int copies_from(pid_t pid) {
    char byte;
    struct iovec own = {&byte, 1}, its = {(void *)&the_host, 1};
    return process_vm_readv(pid, &own, 1, &its, 1, 0) < 0 ? -1 : 0;
}

/* Runs a setuid program of root; 0 if it runs as root. */
static int runs_as_owner(void) {
    pid_t child = fork();
    if (child == 0) {
        execl(path, path, "-c", "test $(id -u) = 0", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EPERM;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int attempt(const lull_launch *launch) {
    struct rlimit limit = {64, 64};
    pid_t host = getppid(), other = (pid_t)atoi(number);
    if (is_task(launch, "read")) return opens(path, O_RDONLY);
    if (is_task(launch, "write")) return opens(path, O_WRONLY | O_CREAT);
    if (is_task(launch, "remove")) return unlink(path);
    if (is_task(launch, "truncate")) return truncate(path, 0);
    if (is_task(launch, "device")) return mknod(path, S_IFBLK | 0600, 0x0800);
    if (is_task(launch, "tcp")) return connects(SOCK_STREAM);
    if (is_task(launch, "udp")) return connects(SOCK_DGRAM);
    if (is_task(launch, "trace")) return (int)ptrace(PTRACE_ATTACH, host, 0, 0);
    if (is_task(launch, "memory")) return reads_memory_of(host);
    if (is_task(launch, "copy")) return copies_from(host);
    if (is_task(launch, "environment")) {
        snprintf(path, sizeof path, "/proc/%d/environ", (int)host);
        return opens(path, O_RDONLY);
    }
    if (is_task(launch, "limit")) return prlimit(host, RLIMIT_NOFILE, &limit, NULL);
    if (is_task(launch, "core")) {
        limit.rlim_cur = limit.rlim_max = (rlim_t)1 << 30;
        return setrlimit(RLIMIT_CORE, &limit);
    }
    if (is_task(launch, "signal")) return kill(host, 0);
    if (is_task(launch, "everybody")) return kill(-1, 0);
    if (is_task(launch, "thread")) return (int)syscall(SYS_tgkill, host, host, 0);
    if (is_task(launch, "neighbour")) return kill(other, 0);
    if (is_task(launch, "setuid")) return runs_as_owner();
    if (is_task(launch, "root")) return setuid(0);
    if (is_task(launch, "mount")) return mount("none", "/mnt", "tmpfs", 0, NULL);
    if (is_task(launch, "namespace")) return unshare(CLONE_NEWUSER);
    if (is_task(launch, "ring")) return (int)syscall(425, 1, &limit);
    if (is_task(launch, "module")) return (int)syscall(SYS_init_module, &limit, 0, "");
    if (is_task(launch, "files")) {
        for (int i = 0; i < 100; i++) {
            if (open("/dev/null", O_RDONLY) < 0) return -1;
        }
        return 0;
    }
    errno = ENOSYS;
    return -1;
}

static void launch(const lull_launch *launch) {
    char line[512];
    the_host->setting(the_host, 0, "/path", path, sizeof path);
    the_host->setting(the_host, 0, "/number", number, sizeof number);
    int fault = attempt(launch) < 0 ? errno : 0;
    snprintf(line, sizeof line, "%s as %d", fault ? strerror(fault) : "done", (int)geteuid());
    the_host->log_task(the_host, launch->task, LULL_INFO, line);
    complete(launch);
}

FIXTURE(register_all, launch);
