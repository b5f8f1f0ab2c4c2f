#define _GNU_SOURCE
#include "command_secret_settings.h"
#include "command_secrets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct command_credentials {
    char *folder;
    /* The memory file of each secret. */
    int *files;
    size_t count;
};

static char *path_in(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) abort();
    return path;
}

/* A folder of links. */
static void remove_folder(const char *path) {
    DIR *all = opendir(path);
    for (struct dirent *entry; all && (entry = readdir(all));) unlinkat(dirfd(all), entry->d_name, 0);
    if (all) closedir(all);
    rmdir(path);
}

/* Each is named PROCESS-TASK. One with this process's number is left from an earlier process that had the number. */
void command_credentials_clean(const char *state) {
    char *parent = path_in(state, "credentials");
    DIR *all = opendir(parent);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || (pid != getpid() && (kill(pid, 0) == 0 || errno != ESRCH))) continue;
        char *path = path_in(parent, entry->d_name);
        remove_folder(path);
        free(path);
    }
    if (all) closedir(all);
    free(parent);
}

/* A sealed memory file with the secret, which nobody can change; -1 with `errno`. */
static int file_holding(const command_secret *secret) {
    int file = memfd_create(secret->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    size_t done = 0;
    while (done < secret->length) {
        ssize_t count = write(file, secret->text + done, secret->length - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    /* ssh takes no key that others might read, even where nobody else can reach it. Where a kernel forbids this, others
       are kept out all the same: the memory is reached through this process alone. */
    if (fchmod(file, 0400) != 0) errno = 0;
    if (done == secret->length && fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return file;
    int fault = errno;
    close(file);
    errno = fault;
    return -1;
}

static bool add_file(command_credentials *credentials, const command_secret *secret) {
    int file = file_holding(secret);
    if (file < 0) return false;
    credentials->files[credentials->count++] = file;
    char target[64], *path = path_in(credentials->folder, secret->name);
    snprintf(target, sizeof target, "/proc/%d/fd/%d", (int)getpid(), file);
    bool is_made = symlink(target, path) == 0;
    free(path);
    return is_made;
}

/* Sets a variable whose value no message shows. */
static void set_variable(command_settings *settings, const char *name, const char *value, size_t length) {
    command_variable *variable = NULL;
    for (size_t i = 0; i < settings->variable_count && !variable; i++) {
        if (strcmp(settings->variables[i].name, name) == 0) variable = &settings->variables[i];
    }
    if (!variable) {
        size_t count = settings->variable_count + 1;
        settings->variables = realloc(settings->variables, count * sizeof *variable);
        if (!settings->variables) abort();
        variable = &settings->variables[settings->variable_count++];
        *variable = (command_variable){.name = strdup(name)};
    }
    free(variable->value);
    variable->value = strndup(value, length);
    variable->file_place = COMMAND_OF_SECRET;
    if (!variable->name || !variable->value) abort();
}

/* The failure and the remedy, as a sentence. */
static char *failure(const command_credentials *credentials, const char *name, int fault) {
    char *sentence;
    bool is_full = fault == EMFILE || fault == ENFILE;
    const char *place = is_full ? "the worker" : credentials->folder;
    if (asprintf(
            &sentence, "secret \"%s\": %s has no place for it: %s. %s", name, place, strerror(fault),
            is_full ? "Raise \"descriptors\" in the app's \"limits\"."
                    : "Make room there, and let the app write its state folder.") < 0)
        abort();
    return sentence;
}

char *command_credentials_make(
    command_credentials **made, command_settings *settings, const char *state, uint64_t task) {
    *made = NULL;
    if (settings->secret_count == 0) return NULL;
    command_credentials *credentials = calloc(1, sizeof *credentials);
    if (!credentials || !(credentials->files = calloc(settings->secret_count, sizeof(int)))) abort();
    char *parent = path_in(state, "credentials"), *found = NULL;
    if (asprintf(&credentials->folder, "%s/%d-%llu", parent, (int)getpid(), (unsigned long long)task) < 0) abort();
    bool is_made = (mkdir(parent, 0700) == 0 || errno == EEXIST) && mkdir(credentials->folder, 0700) == 0;
    if (!is_made) found = failure(credentials, settings->secrets[0].name, errno);
    free(parent);
    for (size_t i = 0; i < settings->secret_count && !found; i++) {
        const command_secret *secret = &settings->secrets[i];
        if (!add_file(credentials, secret)) found = failure(credentials, secret->name, errno);
        if (secret->variable) set_variable(settings, secret->variable, secret->text, command_secret_length(secret));
    }
    if (found) {
        command_credentials_remove(credentials);
        return found;
    }
    set_variable(settings, COMMAND_CREDENTIALS, credentials->folder, strlen(credentials->folder));
    *made = credentials;
    return NULL;
}

void command_credentials_remove(command_credentials *credentials) {
    if (!credentials) return;
    for (size_t i = 0; i < credentials->count; i++) close(credentials->files[i]);
    remove_folder(credentials->folder);
    free(credentials->folder);
    free(credentials->files);
    free(credentials);
}
