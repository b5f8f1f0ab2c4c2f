/*
 * RepoRefresh: fetches git repositories, so that they are fresh when one sits down to work.
 *
 * A model for plugins in C: it needs lull_plugin.h and libc, nothing else. Build it anywhere with
 *
 *   gcc -std=c17 -Wall -Wextra -fPIC -shared -pthread -I INCLUDE -o libRepoRefresh.so RepoRefresh.c
 *
 * Each task runs `git fetch --prune` for each repository that its settings (or else the app's) list under
 * `repositories`, one after the other, in a thread of its own. A push, as a forge's webhook is one, does it for
 * the repository that its payload names, if that is one of them, and else for all. That thread alone starts, signals and reaps
 * its git; the expiration handler only wakes it. So no signal can reach a process that is not ours any more.
 * It also reads what git prints, from pipes, and gives it to the run: on the process's own output, which is
 * that of every run, nobody could tell whose it is.
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

LULL_SETTINGS_SCHEMA({
    "lull_settings": 1,
    "task_over_app": true,
    "task": {
        "type": "object", "additionalProperties": false, "required": ["repositories"],
        "properties": {
            "repositories": {
                "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1, "format": "folder" },
                "description": "Folders of git repositories, fetched one after the other",
                "examples": [["/home/user/src/project"]]
            }
        }
    }
});

/* How long git has after SIGTERM; below the 5 s of grace that a task has by default. */
enum { GRACE_MS = 3000, MESSAGE_BYTES = 4608, CHUNK_BYTES = 16 << 10, PIPE_BYTES = 1 << 20 };

/* One run of one task. The list exists for the expiration handler: it knows a run by its number, and a run
   that has ended is not found. */
struct run {
    struct run *next;
    lull_task task;
    int expired; /* an eventfd: readable, for good, once the task has expired */
    char *named; /* OWNER/NAME of the repository that a push is about; NULL: none in particular */
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
    /* Git's settings and keys are the user's; `HOME` is the app's own. */
    const bool has_user_home = getenv("LULL_USER_HOME") != NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "GIT_TERMINAL_PROMPT=", 20) == 0)
            continue;
        if (has_user_home && strncmp(environ[i], "HOME=", 5) == 0)
            continue;
        if (strncmp(environ[i], "LULL_USER_HOME=", 15) == 0) {
            quiet[used++] = environ[i] + 10;
            continue;
        }
        has_ssh = has_ssh || strncmp(environ[i], "GIT_SSH_COMMAND=", 16) == 0;
        quiet[used++] = environ[i];
    }
    quiet[used++] = "GIT_TERMINAL_PROMPT=0";
    if (!has_ssh)
        quiet[used++] = "GIT_SSH_COMMAND=ssh -o BatchMode=yes";
    return quiet;
}

static void close_both(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            close(pair[i]);
        pair[i] = -1;
    }
}

/* Makes a pipe for each of git's streams. Where the worker can't keep what one run printed (before ABI 1.1)
   there is none, and git prints on our own output. */
static int make_pipes(int readers[2], int writers[2])
{
    if (!LULL_HAS(lull_host, host, print_task) || host->print_task == NULL)
        return 0;
    for (int i = 0; i < 2; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return errno;
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        readers[i] = ends[0];
        writers[i] = ends[1];
    }
    return 0;
}

/* Starts git in a process group of its own, with nothing to read; what it prints comes to `readers`. */
static int start_git(const char *repository, int readers[2], pid_t *pid)
{
    int writers[2] = {-1, -1};
    int error = make_pipes(readers, writers);
    char **environment = error == 0 ? quiet_environment() : NULL;
    if (environment == NULL) {
        close_both(readers);
        close_both(writers);
        return error != 0 ? error : ENOMEM;
    }
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
    if (writers[0] >= 0) {
        posix_spawn_file_actions_adddup2(&actions, writers[0], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, writers[1], STDERR_FILENO);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    char *arguments[] = {"git", "-C", (char *)repository, "fetch", "--prune", NULL};
    error = posix_spawnp(pid, "git", &actions, &attributes, arguments, environment);

    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(environment);
    close_both(writers);
    if (error != 0)
        close_both(readers);
    return error;
}

static bool has_expired(const struct run *run)
{
    struct pollfd entry = {.fd = run->expired, .events = POLLIN};
    int ready;
    do
        ready = poll(&entry, 1, 0);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

/* Gives the run a chunk of what git has printed; false where there is none now. */
static bool relay(const struct run *run, int readers[2], int stream)
{
    char chunk[CHUNK_BYTES];
    ssize_t count;
    do
        count = read(readers[stream], chunk, sizeof chunk);
    while (count < 0 && errno == EINTR);
    if (count > 0) {
        host->print_task(host, run->task, stream == 0 ? LULL_STREAM_OUTPUT : LULL_STREAM_ERROR, chunk,
                         (size_t)count);
    } else if (count == 0) {
        close(readers[stream]);
        readers[stream] = -1;
    }
    return count > 0;
}

/* A pipe whose run is over, and the stream of ours that its bytes go to. */
struct late {
    int reader;
    int own;
};

static void *relay_late(void *context)
{
    struct late late = *(struct late *)context;
    free(context);
    char chunk[CHUNK_BYTES];
    ssize_t count;
    while ((count = read(late.reader, chunk, sizeof chunk)) > 0 || (count < 0 && errno == EINTR)) {
        for (ssize_t done = 0, written; done < count; done += written > 0 ? written : 0) {
            written = write(late.own, chunk + done, (size_t)(count - done));
            if (written < 0 && errno != EINTR)
                break;
        }
    }
    close(late.reader);
    return NULL;
}

/* A process that has left git's group, as the master of a shared ssh connection does, may hold a pipe for as long as it
   lives: the run does not wait for it, and no SIGPIPE ends it. */
static void leave(int reader, int own)
{
    pthread_t thread;
    struct late *late = malloc(sizeof *late);
    if (late != NULL) {
        *late = (struct late){.reader = reader, .own = own};
        fcntl(reader, F_SETFL, 0);
        if (pthread_create(&thread, NULL, relay_late, late) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    free(late);
    close(reader);
}

/* Gives the run what git prints until it ends, or until its grace is over once the task has expired. */
static void attend(const struct run *run, pid_t pid, int process, int readers[2])
{
    int64_t until = 0; /* 0: it has not expired */
    while (process >= 0 || readers[0] >= 0 || readers[1] >= 0) {
        struct pollfd all[] = {
            {.fd = process, .events = POLLIN},
            {.fd = until == 0 ? run->expired : -1, .events = POLLIN},
            {.fd = readers[0], .events = POLLIN},
            {.fd = readers[1], .events = POLLIN},
        };
        int64_t left = until == 0 ? -1 : (until - host->now(host)) / 1000000;
        if (until != 0 && left <= 0)
            break;
        if (poll(all, 4, (int)left) < 0)
            continue;
        if (all[0].revents != 0)
            break;
        if (all[1].revents != 0) {
            kill(-pid, SIGTERM);
            until = host->now(host) + (int64_t)GRACE_MS * 1000000;
        }
        for (int stream = 0; stream < 2; stream++)
            if (all[2 + stream].revents != 0)
                relay(run, readers, stream);
    }
    if (until != 0)
        kill(-pid, SIGKILL);
}

/* Waits for git to end, ending it with all its group when the task expires. Returns what waitpid says. */
static int wait_for_git(const struct run *run, pid_t pid, int readers[2])
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process < 0)
        say(run->task, LULL_WARNING, "git can't be watched (%s), so an expiration may not end it early",
            strerror(errno));
    attend(run, pid, process, readers);
    if (process >= 0)
        close(process);
    /* The group is killed while its leader is not reaped yet, and its number therefore still ours. */
    siginfo_t ended;
    while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    for (int stream = 0; stream < 2; stream++) {
        /* No more than a pipe can hold: a process that has left the group may print for ever. */
        for (int left = PIPE_BYTES; left > 0 && readers[stream] >= 0; left -= CHUNK_BYTES)
            if (!relay(run, readers, stream))
                break;
        if (readers[stream] >= 0)
            leave(readers[stream], stream == 0 ? STDOUT_FILENO : STDERR_FILENO);
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
    int readers[2] = {-1, -1}; /* of git's output and errors; -1: none, or at its end */
    int error = start_git(repository, readers, &pid);
    if (error != 0) {
        say(run->task, LULL_ERROR, "git can't be started: %s.%s", strerror(error),
            error == ENOENT   ? " Install git, or put its folder on the PATH of lull."
            : error == EMFILE ? " Let the app have more open files: `limits: { descriptors: 256 }`."
                              : "");
        return false;
    }
    int status = wait_for_git(run, pid, readers);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        say(run->task, LULL_INFO, "fetched \"%s\" in %lld ms", repository,
            (long long)((host->now(host) - begin) / 1000000));
        return true;
    }
    if (has_expired(run))
        say(run->task, LULL_NOTICE, "fetching \"%s\" was stopped, because the run was told to end", repository);
    else if (WIFEXITED(status))
        say(run->task, LULL_ERROR, "fetching \"%s\" failed: git exited with code %d; its output says why",
            repository, WEXITSTATUS(status));
    else
        say(run->task, LULL_ERROR, "fetching \"%s\" failed: git was ended by signal %d", repository,
            WTERMSIG(status));
    return false;
}

/* The first character behind a JSON string that begins at `text`; its content is copied, unless `copy` is NULL,
   with escapes as they stand: no name that is looked for has any. NULL: it is none. */
static const char *skip_string(const char *text, char *copy, size_t capacity)
{
    size_t used = 0;
    if (*text != '"')
        return NULL;
    for (text++; *text != '"'; text++) {
        if (*text == '\0' || (*text == '\\' && *++text == '\0'))
            return NULL;
        if (copy != NULL && used + 1 < capacity)
            copy[used++] = *text;
    }
    if (copy != NULL)
        copy[used] = '\0';
    return text + 1;
}

/* `repository.full_name` of a forge's webhook, to be freed; NULL: it names none. The host has checked that the
   payload is JSON; nothing else of it is trusted. */
static char *named_repository(const char *payload)
{
    char key[64] = "", value[256];
    bool is_inside = false;
    int depth = 0;
    for (const char *at = payload; *at != '\0';) {
        if (*at == '{' || *at == '[') {
            depth++;
            if (depth == 2)
                is_inside = *at == '{' && strcmp(key, "repository") == 0;
            key[0] = '\0';
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (*at == '"') {
            at = skip_string(at, value, sizeof value);
            if (at == NULL)
                return NULL;
            at += strspn(at, " \t\r\n");
            if (*at == ':') {
                snprintf(key, sizeof key, "%.63s", value);
                at++;
            } else if (depth == 2 && is_inside && strcmp(key, "full_name") == 0) {
                return value[0] == '\0' ? NULL : strdup(value);
            }
        } else {
            at++;
        }
    }
    return NULL;
}

/* Whether the repository's remote is the one that is called OWNER/NAME: an URL of its configuration ends so. */
static bool is_named(const char *repository, const char *name)
{
    static const char *const places[] = {"%s/.git/config", "%s/config"};
    char path[4096], line[2048];
    bool is_found = false;
    for (int i = 0; i < 2 && !is_found; i++) {
        if (snprintf(path, sizeof path, places[i], repository) >= (int)sizeof path)
            continue;
        FILE *file = fopen(path, "re");
        while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL) {
            char *url = line + strspn(line, " \t");
            if (strncmp(url, "url", 3) != 0)
                continue;
            size_t length = strcspn(url, "\r\n");
            while (length > 0 && strchr(" \t/", url[length - 1]) != NULL)
                length--;
            if (length > 4 && strncmp(url + length - 4, ".git", 4) == 0)
                length -= 4;
            size_t wanted = strlen(name);
            is_found = length > wanted && strncmp(url + length - wanted, name, wanted) == 0
                       && strchr("/:", url[length - wanted - 1]) != NULL;
        }
        if (file != NULL)
            fclose(file);
    }
    return is_found;
}

/* Whether one of the list is the repository that a push names. */
static bool lists_named(const struct run *run, lull_task whose)
{
    for (unsigned i = 0;; i++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/repositories/%u", i);
        char *repository = setting(whose, pointer);
        if (repository == NULL)
            return false;
        bool is_it = is_named(repository, run->named);
        free(repository);
        if (is_it)
            return true;
    }
}

/* Fetches all repositories of one list, or the one that a push names; counts them, and those that failed. */
static void fetch_all(const struct run *run, lull_task whose, unsigned *count, unsigned *failed)
{
    bool is_one = run->named != NULL && lists_named(run, whose);
    for (;; (*count)++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/repositories/%u", *count);
        char *repository = setting(whose, pointer);
        if (repository == NULL)
            return;
        if (is_one && !is_named(repository, run->named)) {
            free(repository);
            continue;
        }
        if (has_expired(run)) {
            say(run->task, LULL_NOTICE, "\"%s\" was not begun, because the run was told to end", repository);
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
    free(run->named);
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
    if (LULL_HAS(lull_launch, launch, payload) && launch->payload != NULL)
        run->named = named_repository(launch->payload);
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
