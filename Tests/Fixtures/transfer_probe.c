/* Preloaded into lull-transfer, which is confined when it begins its first transfer: this then tries what it can do. It prints a line on
   standard error for each attempt: "read secret: Permission denied". LULL_PROBE is a folder outside the confinement, and
   LULL_PROBE_OWN one of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char paths[2][4096];

/* A path in a folder; `place`: which of the two buffers holds it. */
static const char *in(const char *variable, const char *name, int place) {
    const char *folder = getenv(variable);
    snprintf(paths[place], sizeof paths[place], "%s/%s", folder ? folder : "", name);
    return paths[place];
}
static const char *other(const char *name) { return in("LULL_PROBE", name, 0); }
static const char *own(const char *name) { return in("LULL_PROBE_OWN", name, 1); }

static void say(const char *what, int result) { dprintf(2, "%s: %s\n", what, result < 0 ? strerror(errno) : "done"); }

/* Opens and closes a file; negative if it can't be opened. */
static int opened(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    return file;
}

static int run(const char *program) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, (char *)NULL);
        _exit(errno);
    }
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno ? -1 : 0;
}

static void probe(void) {
    say("read secret", opened(other("secret"), O_RDONLY));
    say("read passwd", opened("/etc/passwd", O_RDONLY));
    say("list root", opened("/", O_RDONLY | O_DIRECTORY));
    say("read host", opened("/proc/1/environ", O_RDONLY));
    say("make", opened(other("new"), O_WRONLY | O_CREAT));
    say("make temporary", opened("/tmp/lull-transfer-probe", O_WRONLY | O_CREAT));
    say("cut", truncate(other("secret"), 0));
    say("remove", unlink(other("secret")));
    say("make folder", mkdir(other("folder"), 0700));
    say("run", run("/bin/true"));
    say("trace", (int)ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    say("make own", opened(own("probe"), O_WRONLY | O_CREAT));
    say("move out", rename(own("probe"), other("moved")));
    say("link in", link(other("secret"), own("linked")));
    say("point", symlink(other("secret"), own("pointer")));
    say("follow", opened(own("pointer"), O_RDONLY));
    say("remove own", unlink(own("probe")));
    say("end", 0);
}

int curl_multi_add_handle(void *multi, void *easy) {
    static int has_probed;
    int (*real)(void *, void *) = (int (*)(void *, void *))dlsym(RTLD_NEXT, "curl_multi_add_handle");
    if (!has_probed++) probe();
    return real ? real(multi, easy) : 1;
}
