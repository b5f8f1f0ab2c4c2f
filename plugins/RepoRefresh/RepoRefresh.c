/*
 * RepoRefresh: fetches git repositories, so that they are fresh when one sits down to work.
 *
 * A model for plugins in C: it needs lull_plugin.h and libc, nothing else. Build it anywhere with
 *
 *   gcc -std=c17 -Wall -Wextra -fPIC -shared -pthread -I INCLUDE -o libRepoRefresh.so RepoRefresh.c
 *
 * Each task runs `git fetch --prune` for each repository that its settings (or else the app's) list under
 * `repositories`, one after the other, in a thread of its own. That thread alone starts, signals and reaps
 * its git; the expiration handler only wakes it. So no signal can reach a process that is not ours any more.
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long git has after SIGTERM; below the 5 s of grace that a task has by default. */
enum { GRACE_MS = 3000, MESSAGE_BYTES = 4608 };

/* One run of one task. The list exists for the expiration handler: it knows a run by its number, and a run
   that has ended is not found. */
struct run {
    struct run *next;
    lull_task task;
    int expired; /* an eventfd: readable, for good, once the task has expired */
};

static const lull_host *host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct run *runs;

extern char **environ;

__attribute__((format(printf, 3, 4)))
static void say(lull_task task, lull_level level, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (LULL_HAS(lull_host, host, log_task))
        host->log_task(host, task, level, message);
    else
        host->log(host, level, message);
}

/* The value at a JSON pointer, to be freed; NULL when nothing is there. */
static char *setting(lull_task task, const char *pointer)
{
    int64_t length = host->setting(host, task, pointer, NULL, 0);
    if (length < 0)
        return NULL;
    char *value = malloc((size_t)length + 1);
    if (value != NULL && host->setting(host, task, pointer, value, (size_t)length + 1) != length) {
        free(value);
        return NULL;
    }
    return value;
}

/* The environment with git kept from asking anybody anything; to be freed, the strings are not ours. */
static char **quiet_environment(void)
{
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    char **quiet = calloc(count + 3, sizeof *quiet);
    if (quiet == NULL)
        return NULL;
    size_t used = 0;
    bool has_ssh = false;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "GIT_TERMINAL_PROMPT=", 20) == 0)
            continue;
        has_ssh = has_ssh || strncmp(environ[i], "GIT_SSH_COMMAND=", 16) == 0;
        quiet[used++] = environ[i];
    }
    quiet[used++] = "GIT_TERMINAL_PROMPT=0";
    if (!has_ssh)
        quiet[used++] = "GIT_SSH_COMMAND=ssh -o BatchMode=yes";
    return quiet;
}

/* Starts git in a process group of its own, with nothing to read and our output as its output. */
static int start_git(const char *repository, pid_t *pid)
{
    char **environment = quiet_environment();
    if (environment == NULL)
        return ENOMEM;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);

    /* The worker's signal mask and ignored signals are not git's business. */
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    char *arguments[] = {"git", "-C", (char *)repository, "fetch", "--prune", NULL};
    int error = posix_spawnp(pid, "git", &actions, &attributes, arguments, environment);

    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(environment);
    return error;
}

/* True when the descriptor became readable within the time; -1 ms is for ever. */
static bool is_readable(int descriptor, int timeout_ms)
{
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    int ready;
    do
        ready = poll(&entry, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static bool has_expired(const struct run *run)
{
    return is_readable(run->expired, 0);
}

/* Waits for git to end, ending it with all its group when the task expires. Returns what waitpid says. */
static int wait_for_git(const struct run *run, pid_t pid)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process < 0) {
        say(run->task, LULL_WARNING, "git can't be watched (%s), so an expiration won't end it early",
            strerror(errno));
    } else {
        struct pollfd both[] = {{.fd = process, .events = POLLIN}, {.fd = run->expired, .events = POLLIN}};
        while (poll(both, 2, -1) < 0 && errno == EINTR) {
        }
        if ((both[0].revents & POLLIN) == 0) {
            kill(-pid, SIGTERM);
            is_readable(process, GRACE_MS);
            kill(-pid, SIGKILL);
        }
        close(process);
    }
    /* The group is killed while its leader is not reaped yet, and its number therefore still ours. */
    siginfo_t ended;
    while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

static bool fetch(const struct run *run, const char *repository)
{
    if (access(repository, X_OK) != 0) {
        say(run->task, LULL_ERROR,
            "repository \"%s\" can't be entered: %s. Correct \"repositories\" in the settings.", repository,
            strerror(errno));
        return false;
    }
    int64_t begin = host->now(host);
    pid_t pid;
    int error = start_git(repository, &pid);
    if (error != 0) {
        say(run->task, LULL_ERROR,
            "git can't be started: %s. Install git, or put its folder on the PATH of lull.", strerror(error));
        return false;
    }
    int status = wait_for_git(run, pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        say(run->task, LULL_INFO, "fetched \"%s\" in %lld ms", repository,
            (long long)((host->now(host) - begin) / 1000000));
        return true;
    }
    if (has_expired(run))
        say(run->task, LULL_NOTICE, "fetching \"%s\" was stopped, because the task expired", repository);
    else if (WIFEXITED(status))
        say(run->task, LULL_ERROR, "fetching \"%s\" failed: git exited with code %d; its output says why",
            repository, WEXITSTATUS(status));
    else
        say(run->task, LULL_ERROR, "fetching \"%s\" failed: git was ended by signal %d", repository,
            WTERMSIG(status));
    return false;
}

/* Fetches all repositories of one list; counts them, and those that failed. */
static void fetch_all(const struct run *run, lull_task whose, unsigned *count, unsigned *failed)
{
    for (;; (*count)++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/repositories/%u", *count);
        char *repository = setting(whose, pointer);
        if (repository == NULL)
            return;
        if (has_expired(run)) {
            say(run->task, LULL_NOTICE, "\"%s\" was not begun, because the task expired", repository);
            (*failed)++;
        } else if (!fetch(run, repository)) {
            (*failed)++;
        }
        free(repository);
    }
}

static void end(struct run *run, bool success)
{
    pthread_mutex_lock(&lock);
    struct run **link = &runs;
    while (*link != run)
        link = &(*link)->next;
    *link = run->next;
    pthread_mutex_unlock(&lock);
    lull_task task = run->task;
    close(run->expired);
    free(run);
    host->set_task_completed(host, task, success);
}

static void *work(void *context)
{
    struct run *run = context;
    unsigned count = 0, failed = 0;
    fetch_all(run, run->task, &count, &failed);
    if (count == 0)
        fetch_all(run, 0, &count, &failed);
    if (count == 0)
        say(run->task, LULL_ERROR,
            "there is no repository to fetch. List their folders in the settings, under \"repositories\".");
    end(run, count > 0 && failed == 0);
    return NULL;
}

/* [control-thread] */
static void expire(void *context, lull_task task)
{
    (void)context;
    pthread_mutex_lock(&lock);
    for (struct run *run = runs; run != NULL; run = run->next) {
        uint64_t one = 1;
        if (run->task == task && write(run->expired, &one, sizeof one) < 0)
            say(task, LULL_WARNING, "the thread can't be told to stop: %s", strerror(errno));
    }
    pthread_mutex_unlock(&lock);
}

/* [control-thread] */
static void launch(const lull_launch *launch)
{
    struct run *run = calloc(1, sizeof *run);
    int expired = eventfd(0, EFD_CLOEXEC);
    if (run == NULL || expired < 0) {
        say(launch->task, LULL_ERROR, "the task can't begin: %s", strerror(errno));
        if (expired >= 0)
            close(expired);
        free(run);
        host->set_task_completed(host, launch->task, false);
        return;
    }
    run->task = launch->task;
    run->expired = expired;
    pthread_mutex_lock(&lock);
    run->next = runs;
    runs = run;
    pthread_mutex_unlock(&lock);
    host->set_expiration_handler(host, launch->task, NULL, expire);

    pthread_t thread;
    int error = pthread_create(&thread, NULL, work, run);
    if (error != 0) {
        say(launch->task, LULL_ERROR, "the task can't begin: %s", strerror(error));
        end(run, false);
    } else {
        pthread_detach(thread);
    }
}

/* Registers every identifier that jobs.yaml permits to this app: the worker lists them in its settings. */
static int32_t start(const lull_host *given)
{
    host = given;
    if (!LULL_HAS(lull_host, host, setting)) {
        host->log(host, LULL_ERROR, "RepoRefresh needs a worker that hands over settings. Update lull.");
        return 1;
    }
    for (unsigned i = 0;; i++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/lull/permitted/%u", i);
        char *identifier = setting(0, pointer);
        if (identifier == NULL)
            return 0;
        host->register_task(host, identifier);
        free(identifier);
    }
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
