#define _GNU_SOURCE
#include "command_secrets.h"

#include "command_file.h"
#include "command_parts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 64 << 10, SECONDS = 30 };

static const command_file_kind kind = {
    .key = "secrets",
    .room = ROOM,
    .missing = "Make it, or correct \"secrets\".",
    .irregular = "Name one that holds the secret in \"secrets\".",
    .too_large = "the file has more than 64 KiB. Name one that holds the secret alone.",
};

/* A command that prints a secret, while it runs. */
struct printer {
    command_process process;
    command_secret *secret;
    bool has_ended, is_late, is_expired;
};

/* Reads what is there. The standard error may hold the secret, and is dropped. */
static void drain(struct printer *printer, struct pollfd *pipe, bool is_output) {
    char piece[4096];
    /* More than a pipe holds, but bounded: a command may print for ever. */
    for (int i = 0; i < 32 && pipe->fd >= 0; i++) {
        ssize_t count = read(pipe->fd, piece, sizeof piece);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return;
        if (count == 0) pipe->fd = -1;
        command_secret *secret = printer->secret;
        /* One byte more than fits says that it is too large. */
        size_t room = is_output ? ROOM + 1 - secret->length : 0;
        size_t taken = (size_t)count < room ? (size_t)count : room;
        memcpy(secret->text + secret->length, piece, taken);
        secret->length += taken;
        explicit_bzero(piece, sizeof piece);
        if (secret->length > ROOM) return;
    }
}

/* Reads until the command ends, prints too much, takes too long, or the task expires. */
static void watch(struct printer *printer, struct pollfd all[4], command_inbox *inbox, uint64_t task) {
    int64_t deadline = command_now() + SECONDS * INT64_C(1000000000);
    while (!printer->has_ended && printer->secret->length <= ROOM) {
        int64_t left = deadline - command_now();
        if ((printer->is_late = left <= 0)) return;
        /* Once it has rung for something else it goes on ringing. */
        bool has_rung = all[3].revents != 0;
        if (has_rung) all[3].fd = -1;
        if (inbox && all[3].fd < 0 && left > LOOK_NS) left = LOOK_NS;
        poll(all, 4, (int)(left / 1000000) + 1);
        drain(printer, &all[0], true);
        drain(printer, &all[1], false);
        printer->has_ended = all[2].revents != 0;
        if (inbox && (printer->is_expired = command_inbox_ends(inbox, task))) return;
    }
}

static char *failure(const struct printer *printer, int status) {
    char *sentence, end[96], user[128];
    command_user_words(user, sizeof user);
    if (printer->is_late) {
        snprintf(end, sizeof end, "did not end within %d s", SECONDS);
    } else if (printer->secret->length > ROOM) {
        if (asprintf(&sentence, "its command printed more than 64 KiB. Have it print the secret alone.") < 0) abort();
        return sentence;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return NULL;
    } else if (WIFEXITED(status)) {
        snprintf(end, sizeof end, "failed with exit code %d", WEXITSTATUS(status));
    } else {
        snprintf(end, sizeof end, "was ended by signal %d", WTERMSIG(status));
    }
    if (asprintf(
            &sentence, "its command %s. Run it by hand as %s to see why: Lull shows nothing of what it prints.", end,
            user) < 0)
        abort();
    return sentence;
}

/* Kills what it leaves in its group; processes that have left the group end with the run. */
static int end(struct printer *printer, struct pollfd all[4]) {
    pid_t pid = printer->process.pid;
    int status = 0;
    kill(-pid, SIGKILL);
    if (!printer->has_ended) kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    drain(printer, &all[0], true);
    close(printer->process.output);
    close(printer->process.error);
    close(printer->process.pidfd);
    return status;
}

static char *read_command(
    const command_settings *settings, char *const *base, command_secret *secret, command_inbox *inbox,
    uint64_t task, bool *is_expired) {
    char command[] = "-c", *arguments[] = {settings->shell, command, secret->command, NULL}, *sentence;
    command_settings own = *settings;
    own.arguments = arguments;
    own.is_for_shell = true;
    own.input = NULL;
    own.cause = NULL;
    secret->text = malloc(ROOM + 1);
    if (!secret->text) abort();
    struct printer printer = {.secret = secret};
    if (command_start(&own, base, &printer.process, &sentence) != COMMAND_STARTED) return sentence;
    struct pollfd all[4] = {
        {.fd = printer.process.output, .events = POLLIN},
        {.fd = printer.process.error, .events = POLLIN},
        {.fd = printer.process.pidfd, .events = POLLIN},
        {.fd = inbox ? inbox->bell : -1, .events = POLLIN},
    };
    watch(&printer, all, inbox, task);
    int status = end(&printer, all);
    *is_expired = printer.is_expired;
    if (!printer.is_expired) return failure(&printer, status);
    sentence = strdup("the task expired while its command ran. Have it print the secret sooner, or raise \"time_limit\".");
    if (!sentence) abort();
    return sentence;
}

static char *read_file(const command_settings *settings, char *const *base, command_secret *secret) {
    command_file file = {.kind = &kind, .path = command_file_path(settings, base, secret->file)};
    char *found = command_file_read(&file);
    secret->text = file.text;
    secret->length = file.length;
    free(file.path);
    return found;
}

/* Why a secret does not fit where it goes; null: it does. */
static char *unfit(const command_secret *secret) {
    const char *words = NULL;
    if (command_secret_length(secret) == 0) {
        words = secret->file ? "the file is empty. Write the secret there."
                             : "its command printed nothing. Have it print the secret.";
    } else if (secret->variable && memchr(secret->text, 0, secret->length)) {
        words = "it holds a NUL character, which no variable can. Take \"env\" out, and read the file in "
                "$CREDENTIALS_DIRECTORY.";
    }
    if (words && secret->file) return command_file_finding(secret->file, 0, words);
    char *copy = words ? strdup(words) : NULL;
    if (words && !copy) abort();
    return copy;
}

char *command_secrets_read(
    command_settings *settings, char *const *base, command_inbox *inbox, uint64_t task, bool *is_expired) {
    *is_expired = false;
    for (size_t i = 0; i < settings->secret_count; i++) {
        command_secret *secret = &settings->secrets[i];
        char *found = secret->file ? read_file(settings, base, secret)
                                   : read_command(settings, base, secret, inbox, task, is_expired), *sentence;
        if (!found) found = unfit(secret);
        if (!found) continue;
        if (asprintf(&sentence, "secret \"%s\": %s", secret->name, found) < 0) abort();
        free(found);
        return sentence;
    }
    return NULL;
}
