#define _GNU_SOURCE
#include "command_process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(char **text, size_t *length, const char *more) {
    size_t count = strlen(more);
    char *grown = realloc(*text, *length + count + 1);
    if (!grown) abort();
    memcpy(grown + *length, more, count + 1);
    *text = grown;
    *length += count;
}

/* The command's output says why; `success` is named if the settings have it. */
static void append_failure(char **text, size_t *length, const command_outcome *outcome) {
    char part[96];
    if (outcome->is_for_shell && outcome->status == 127) {
        return append(text, length, "the shell did not find a program, or a program lacks a shared library (exit code 127)");
    }
    if (outcome->is_for_shell && outcome->status == 126) {
        return append(text, length, "the shell could not execute a program (exit code 126)");
    }
    snprintf(part, sizeof part, "the command failed with exit code %d", outcome->status);
    append(text, length, part);
    int listed = 0, last = 0;
    for (int code = 0; outcome->success && code < 256; code++) {
        if (outcome->success[code]) {
            listed++;
            last = code;
        }
    }
    if (listed == 0 || (listed == 1 && last == 0)) return;
    const char *mark = "; `success` takes ";
    for (int code = 0; code < 256; code++) {
        if (!outcome->success[code]) continue;
        snprintf(part, sizeof part, "%s%d", mark, code);
        append(text, length, part);
        mark = ", ";
    }
}

static const char *name_of(int number) {
    static const struct {
        int number;
        const char *name;
    } signals[] = {
        {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},   {SIGTRAP, "SIGTRAP"},
        {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},
        {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"},
        {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (signals[i].number == number) return signals[i].name;
    }
    return NULL;
}

static void append_left(char **text, size_t *length, const command_outcome *outcome) {
    size_t named = outcome->left_behind < COMMAND_LEFT_NAMED ? outcome->left_behind : COMMAND_LEFT_NAMED;
    for (size_t i = 0; i < named; i++) {
        char part[64];
        snprintf(part, sizeof part, "%s%s (process %d)", i ? ", " : ": ", outcome->left[i].name, (int)outcome->left[i].pid);
        append(text, length, part);
    }
    if (named < outcome->left_behind) append(text, length, ", …");
}

char *command_outcome_message(const command_outcome *outcome) {
    char *text = NULL, part[96];
    size_t length = 0;
    const char *name = outcome->has_exited ? NULL : name_of(outcome->status);
    if (outcome->has_exited && !outcome->is_success && !outcome->is_cancelled) {
        append_failure(&text, &length, outcome);
    } else {
        if (outcome->has_exited) {
            snprintf(part, sizeof part, "the command exited with code %d", outcome->status);
        } else if (name) {
            snprintf(part, sizeof part, "the command was ended by %s", name);
        } else {
            snprintf(part, sizeof part, "the command was ended by signal %d", outcome->status);
        }
        append(&text, &length, part);
    }
    if (outcome->is_cancelled) append(&text, &length, ", because the run was told to end");
    if (outcome->left_behind > 0) {
        snprintf(
            part, sizeof part, "; %zu of its processes %s still running and %s killed", outcome->left_behind,
            outcome->left_behind == 1 ? "was" : "were", outcome->left_behind == 1 ? "was" : "were");
        append(&text, &length, part);
        append_left(&text, &length, outcome);
    }
    append(&text, &length, ".");
    return text;
}
