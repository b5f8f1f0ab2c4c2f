#define _GNU_SOURCE
#include "command_file.h"

#include "command_environment.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *command_file_finding(const char *path, size_t line, const char *words) {
    char place[32] = "", *sentence;
    if (line > 0) snprintf(place, sizeof place, ":%zu", line);
    if (asprintf(&sentence, "%s%s: %s", path, place, words) < 0) abort();
    return sentence;
}

void command_user_words(char *words, size_t room) {
    uid_t user = geteuid();
    const struct passwd *account = getpwuid(user);
    snprintf(
        words, room, "%s%s (%u)", account ? "user " : "the app's own account", account ? account->pw_name : "",
        (unsigned)user);
}

/* Why the file can't be read; null: it is missing and may be. */
static char *unreadable(const command_file *file, int fault) {
    char words[512], user[128];
    if (fault == ENOENT || fault == ENOTDIR) {
        if (file->may_be_missing) return NULL;
        snprintf(words, sizeof words, "the file is not there. %s", file->kind->missing);
        return command_file_finding(file->path, 0, words);
    }
    command_user_words(user, sizeof user);
    int length = snprintf(words, sizeof words, "%s can't read the file: %s. ", user, strerror(fault));
    if (fault == EACCES || fault == EPERM) {
        snprintf(
            words + length, sizeof words - (size_t)length,
            "Give it to that user, with mode 600, and let the user through the folders above it; "
            "where the app's \"limits\" have \"read\", name it there.");
    } else {
        snprintf(words + length, sizeof words - (size_t)length, "Correct that, or \"%s\".", file->kind->key);
    }
    return command_file_finding(file->path, 0, words);
}

static char *unfit(const command_file *file, const struct stat *status) {
    char words[128];
    if (!S_ISREG(status->st_mode)) {
        snprintf(words, sizeof words, "this is not a regular file. %s", file->kind->irregular);
        return command_file_finding(file->path, 0, words);
    }
    bool is_open = status->st_mode & S_IWOTH;
    return is_open ? command_file_finding(file->path, 0, "everybody may write the file. Forbid that: chmod o-w.")
                   : NULL;
}

/* Opens no device, and does not wait for a pipe that has taken the file's place. */
char *command_file_read(command_file *file) {
    size_t room = file->kind->room;
    struct stat status;
    if (stat(file->path, &status) != 0) return unreadable(file, errno);
    char *found = unfit(file, &status);
    if (found) return found;
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return unreadable(file, errno);
    if (fstat(descriptor, &status) == 0) found = unfit(file, &status);
    file->text = malloc(room + 1);
    if (!file->text) abort();
    while (!found && file->length <= room) {
        ssize_t count = read(descriptor, file->text + file->length, room + 1 - file->length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) found = unreadable(file, errno);
        if (count <= 0) break;
        file->length += (size_t)count;
    }
    close(descriptor);
    if (!found && file->length > room) found = command_file_finding(file->path, 0, file->kind->too_large);
    return found;
}

/* The `HOME` that `~` stands for: that of `env`, else that of the base. Files of variables do not count. */
static const char *home(const command_settings *settings, char *const *base) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        const command_variable *one = &settings->variables[i];
        if (one->file_place == 0 && strcmp(one->name, "HOME") == 0) return one->value;
    }
    const char *home = command_variable_in(base, "HOME");
    return home ? home : "";
}

char *command_file_path(const command_settings *settings, char *const *base, const char *name) {
    char *path;
    bool is_home = name[0] == '~' && name[1] == '/';
    if (asprintf(&path, "%s%s", is_home ? home(settings, base) : "", name + is_home) < 0) abort();
    return path;
}
