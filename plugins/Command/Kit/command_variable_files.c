#define _GNU_SOURCE
#include "command_environment.h"
#include "command_variables.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So much of one file is read. */
enum { FILE_ROOM = 1 << 20 };

struct file {
    char *path;
    bool may_be_missing;
    char *text;
    size_t length;
};

static char *refused(const char *path, size_t line, const char *words) {
    char place[32] = "", *sentence;
    if (line > 0) snprintf(place, sizeof place, ":%zu", line);
    if (asprintf(&sentence, "%s%s: %s", path, place, words) < 0) abort();
    return sentence;
}

/* Why it can't be had; null: it is not there and need not be. */
static char *unreadable(const struct file *file, int fault) {
    bool is_missing = fault == ENOENT || fault == ENOTDIR;
    if (is_missing && file->may_be_missing) return NULL;
    if (is_missing) {
        return refused(
            file->path, 0,
            "the file is not there. Make it, correct \"env_file\", or write a - before the path if it may be "
            "missing.");
    }
    uid_t user = geteuid();
    const struct passwd *account = getpwuid(user);
    bool is_refused = fault == EACCES || fault == EPERM;
    char words[512];
    snprintf(
        words, sizeof words, "%s%s (%u) can't read the file: %s. %s",
        account ? "user " : "the app's own account", account ? account->pw_name : "", (unsigned)user,
        strerror(fault),
        is_refused ? "Give it to that user, with mode 600, and let the user through the folders above it; "
                     "where the app's \"limits\" have \"read\", name it there."
                   : "Correct that, or \"env_file\".");
    return refused(file->path, 0, words);
}

static char *unfit(const char *path, const struct stat *status) {
    if (!S_ISREG(status->st_mode)) {
        return refused(path, 0, "this is not a regular file. Name one of NAME=VALUE lines in \"env_file\".");
    }
    bool is_open = status->st_mode & S_IWOTH;
    return is_open ? refused(path, 0, "everybody may write the file. Forbid that: chmod o-w.") : NULL;
}

/* It waits for nothing: no device is opened, nor is a pipe that takes the file's place waited for. */
static char *read_file(struct file *file) {
    struct stat status;
    if (stat(file->path, &status) != 0) return unreadable(file, errno);
    char *found = unfit(file->path, &status);
    if (found) return found;
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return unreadable(file, errno);
    if (fstat(descriptor, &status) == 0) found = unfit(file->path, &status);
    file->text = malloc(FILE_ROOM + 1);
    if (!file->text) abort();
    while (!found && file->length <= FILE_ROOM) {
        ssize_t count = read(descriptor, file->text + file->length, FILE_ROOM + 1 - file->length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) found = unreadable(file, errno);
        if (count <= 0) break;
        file->length += (size_t)count;
    }
    close(descriptor);
    if (!found && file->length > FILE_ROOM) {
        found = refused(file->path, 0, "the file has more than 1 MiB. Leave nothing but variables in it.");
    }
    return found;
}

/* As `~` is meant in `cwd`, where no file says otherwise. */
static const char *home(const command_settings *settings, char *const *base) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        if (strcmp(settings->variables[i].name, "HOME") == 0) return settings->variables[i].value;
    }
    const char *home = command_variable_in(base, "HOME");
    return home ? home : "";
}

static char *take_file(command_variables *variables, const char *name, const char *home) {
    struct file file = {.may_be_missing = name[0] == '-'};
    if (file.may_be_missing) name++;
    bool is_home = name[0] == '~' && name[1] == '/';
    if (asprintf(&file.path, "%s%s", is_home ? home : "", name + (is_home ? 1 : 0)) < 0) abort();
    char *found = read_file(&file);
    command_text_fault fault;
    if (!found && file.text && !command_variables_read(variables, file.text, file.length, &fault)) {
        found = refused(file.path, fault.line, fault.words);
    }
    free(file.text);
    free(file.path);
    return found;
}

/* By names, and of one name first what holds: `env`, and then the last in the files. */
static int order(const void *left, const void *right) {
    const command_variable *first = left, *second = right;
    int by_name = strcmp(first->name, second->name);
    if (by_name != 0) return by_name;
    return first->file_place - 1 > second->file_place - 1 ? -1 : 1;
}

char *command_variable_files_read(command_settings *settings, char *const *base) {
    command_variables all = {.first = NULL};
    char *found = NULL;
    for (char **each = settings->variable_files; each && *each && !found; each++) {
        found = take_file(&all, *each, home(settings, base));
    }
    for (size_t i = 0; i < all.count; i++) all.first[i].file_place = i + 1;
    if (all.count > 0) {
        size_t count = all.count + settings->variable_count, kept = 0;
        command_variable *joined = realloc(all.first, count * sizeof *joined);
        if (!joined) abort();
        for (size_t i = 0; i < settings->variable_count; i++) joined[all.count + i] = settings->variables[i];
        qsort(joined, count, sizeof *joined, order);
        for (size_t i = 0; i < count; i++) {
            if (kept == 0 || strcmp(joined[kept - 1].name, joined[i].name) != 0) {
                joined[kept++] = joined[i];
            } else {
                free(joined[i].name);
                free(joined[i].value);
            }
        }
        free(settings->variables);
        settings->variables = joined;
        settings->variable_count = kept;
    }
    return found;
}
