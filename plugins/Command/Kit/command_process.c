#define _GNU_SOURCE
#include "command_process.h"

#include "command_environment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What one start needs, released whole. */
struct start {
    const command_settings *settings;
    char **environment;
    char *folder, *program;
    int input, output[2], error[2];
};

static void close_if_open(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}

static void release(struct start *start) {
    command_environment_free(start->environment);
    free(start->folder);
    free(start->program);
    if (start->settings->input) close_if_open(start->input);
    close_if_open(start->output[1]);
    close_if_open(start->error[1]);
}

__attribute__((format(printf, 2, 3))) static void say(char **sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(sentence, format, arguments) < 0) abort();
    va_end(arguments);
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/* The setting that hides a variable's value from all messages; null: none does. */
static const char *hidden_by(const command_settings *settings, const char *name) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        if (strcmp(settings->variables[i].name, name) != 0) continue;
        size_t place = settings->variables[i].file_place;
        return place == COMMAND_OF_SECRET ? "that of \"secrets\"" : place > 0 ? "that of \"env_file\"" : NULL;
    }
    return NULL;
}

static void find_folder(struct start *start) {
    const char *folder = start->settings->folder;
    if (!folder) return;
    bool is_home = folder[0] == '~' && (folder[1] == '\0' || folder[1] == '/');
    const char *home = is_home ? command_variable_in(start->environment, "HOME") : "";
    if (asprintf(&start->folder, "%s%s", home ? home : "/", folder + (is_home ? 1 : 0)) < 0) abort();
}

static bool can_run(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/* Finds the program by the `PATH` that the command will see; a name with a slash is a path already. */
static bool find_program(struct start *start, const char **path) {
    const char *name = start->settings->arguments[0];
    *path = command_variable_in(start->environment, "PATH");
    if (strchr(name, '/')) return (start->program = strdup(name)) != NULL;
    for (const char *part = *path ? *path : ""; *part;) {
        size_t length = strcspn(part, ":");
        if (asprintf(&start->program, "%.*s/%s", (int)length, length ? part : ".", name) < 0) abort();
        if (can_run(start->program)) return true;
        free(start->program);
        start->program = NULL;
        part += length + (part[length] == ':');
    }
    return false;
}

/* A file and not a pipe: writing to a command that doesn't read would raise SIGPIPE in the worker. */
static int input_holding(const char *text, size_t length) {
    int file = memfd_create("stdin", MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < length;) {
        ssize_t count = write(file, text + done, length - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            int fault = errno;
            close(file);
            errno = fault;
            return -1;
        }
        done += (size_t)count;
    }
    if (file >= 0) lseek(file, 0, SEEK_SET);
    return file;
}

static bool make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* The input of most commands, so it stays open. */
static int no_input(void) {
    static int null = -1;
    if (null < 0) null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return null;
}

static bool make_streams(struct start *start) {
    const command_settings *settings = start->settings;
    const command_cause *cause = settings->cause;
    start->input = settings->input           ? input_holding(settings->input, settings->input_length)
                   : cause && cause->payload ? input_holding(cause->payload, cause->payload_length)
                                             : no_input();
    return start->input >= 0 && make_pipe(start->output) && make_pipe(start->error);
}

/* Starts it in a group of its own, with the signals as they are in a new process. */
static int spawn(const struct start *start, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault) return fault;
    if ((fault = posix_spawnattr_init(&attributes)) == 0) {
        posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        fault = posix_spawn_file_actions_adddup2(&actions, start->input, STDIN_FILENO);
        if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, start->output[1], STDOUT_FILENO);
        if (!fault) fault = posix_spawn_file_actions_adddup2(&actions, start->error[1], STDERR_FILENO);
#if __GLIBC_PREREQ(2, 34)
        /* Descriptors that are opened here close by themselves; those that the worker was started with may not. */
        if (!fault) fault = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
        if (!fault && start->folder) fault = posix_spawn_file_actions_addchdir_np(&actions, start->folder);
        if (!fault) {
            fault = posix_spawn(
                pid, start->program, &actions, &attributes, start->settings->arguments, start->environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

static int watch(pid_t pid) {
    /* The process is not reaped yet, so the number is its own. The kernel closes the descriptor on exec by itself. */
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd >= 0) return pidfd;
    int fault = errno;
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    errno = fault;
    return -1;
}

/* The caller frees it. */
static char *path_in(const char *folder, const char *name) {
    char *path;
    bool is_in_folder = folder && name[0] != '/';
    if (asprintf(&path, "%s%s%s", is_in_folder ? folder : "", is_in_folder ? "/" : "", name) < 0) abort();
    return path;
}

/* A file that has no x bit at all, not even another user's. */
static bool has_no_x(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111) == 0;
}

/* Whether the program, whose name is a path, lacks only its x bit. This leaves out the system's words, after which the host
   would blame its limits. */
static bool say_lack_of_x(const struct start *start, char **sentence) {
    const char *name = start->settings->arguments[0];
    char *path = path_in(start->folder, name);
    bool is_lacking = has_no_x(path);
    free(path);
    if (!is_lacking) return false;
    path = path_in(hidden_by(start->settings, "HOME") ? start->settings->folder : start->folder, name);
    say(sentence,
        "command \"%s\" can't be executed: its file has no x bit. Run `chmod +x %s`, or name a program in \"run\".", name,
        path);
    free(path);
    return true;
}

static command_fault start_in(struct start *start, command_process *process, char **sentence) {
    const char *name = start->settings->arguments[0], *path;
    find_folder(start);
    int fault = find_program(start, &path) ? 0 : ENOENT;
    if (!fault && !make_streams(start)) {
        say(sentence,
            "no pipe could be made for what the command prints: %s. "
            "Raise \"descriptors\" in the app's \"limits\", or have fewer runs at once.",
            strerror(errno));
        return COMMAND_NO_PIPE;
    }
    if (!fault) fault = spawn(start, &process->pid);
    /* The kernel does not say which file was missing. */
    if (fault && start->folder && !is_folder(start->folder)) {
        say(sentence, "folder \"%s\" is not there or can't be entered. Make it, or correct \"cwd\".",
            hidden_by(start->settings, "HOME") ? start->settings->folder : start->folder);
        return COMMAND_NO_FOLDER;
    }
    if (fault == ENOENT || fault == EACCES || fault == ENOTDIR) {
        const char *hidden = hidden_by(start->settings, "PATH");
        if (fault == EACCES && strchr(name, '/') && say_lack_of_x(start, sentence)) return COMMAND_NOT_FOUND;
        if (strchr(name, '/'))
            say(sentence,
                "command \"%s\" was not found or can't be executed: %s. Install it, or correct its path in \"run\".", name,
                strerror(fault));
        else
            say(sentence,
                "command \"%s\" was not found or can't be executed (PATH is %s). "
                "Install it, write its full path in \"run\", or set PATH in \"env\".",
                name, hidden ? hidden : path ? path : "");
        return COMMAND_NOT_FOUND;
    }
    if (!fault && (process->pidfd = watch(process->pid)) < 0) fault = errno;
    if (!fault) return COMMAND_STARTED;
    if (fault == E2BIG)
        say(sentence,
            "command \"%s\" could not be started: its arguments and variables are larger than the system "
            "takes, which is 128 KiB for each and `getconf ARG_MAX` for all. Shorten \"env\", \"env_file\", \"secrets\" "
            "or \"run\"; \"stdin\" takes a longer text.",
            name);
    else
        say(sentence, "command \"%s\" could not be started: %s", name, strerror(fault));
    return COMMAND_NOT_SPAWNED;
}

command_fault command_start(
    const command_settings *settings, char *const *base, command_process *process, char **sentence) {
    struct start start = {
        .settings = settings, .environment = command_environment_make(settings, base),
        .input = -1, .output = {-1, -1}, .error = {-1, -1}};
    *sentence = NULL;
    command_fault fault = start_in(&start, process, sentence);
    if (fault == COMMAND_STARTED) {
        process->output = start.output[0];
        process->error = start.error[0];
    } else {
        close_if_open(start.output[0]);
        close_if_open(start.error[0]);
    }
    release(&start);
    return fault;
}

/* From "pid (name) state parent group session …", where a name may hold anything. */
static bool is_follower(const char *pid, pid_t leader, char name[16]) {
    char path[288], text[512], state;
    int parent, group, session;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return false;
    text[length] = '\0';
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || sscanf(end + 1, " %c %d %d %d", &state, &parent, &group, &session) != 4) return false;
    snprintf(name, 16, "%.*s", (int)(end - begin - 1), begin + 1);
    /* A process of another session has only got the number of the group. */
    return group == leader && session == getsid(0) && state != 'Z' && state != 'X';
}

size_t command_followers(pid_t leader, command_follower *found, size_t room) {
    DIR *all = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; all && (entry = readdir(all));) {
        command_follower one = {.pid = (pid_t)atoi(entry->d_name)};
        if (one.pid <= 0 || one.pid == leader || !is_follower(entry->d_name, leader, one.name)) continue;
        if (count < room) found[count] = one;
        count++;
    }
    if (all) closedir(all);
    return count;
}
