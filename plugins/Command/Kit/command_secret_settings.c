#define _GNU_SOURCE
#include "command_secret_settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static char *words(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) abort();
    va_end(arguments);
    return text;
}

/* Whether a text has only letters, digits and those of `more`, and does not begin with one of `later`. */
static bool is_made_of(const char *text, const char *more, const char *later) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = strlen(text), good = 0;
    while (good < length && (strchr(letters, text[good]) || strchr(more, text[good]))) good++;
    return length > 0 && length <= 255 && good == length && !strchr(later, text[0]);
}

static command_secret *secret_named(command_settings *settings, const char *name) {
    for (size_t i = 0; i < settings->secret_count; i++) {
        if (strcmp(settings->secrets[i].name, name) == 0) return &settings->secrets[i];
    }
    size_t count = settings->secret_count + 1;
    settings->secrets = realloc(settings->secrets, count * sizeof *settings->secrets);
    if (!settings->secrets) abort();
    command_secret *secret = &settings->secrets[settings->secret_count++];
    *secret = (command_secret){.name = strdup(name)};
    if (!secret->name) abort();
    return secret;
}

static char *take_member(command_secret *secret, const command_json *member) {
    const char *key = member->key, *text = member->kind == COMMAND_JSON_TEXT ? member->text : "";
    char **place = strcmp(key, "file") == 0      ? &secret->file
                   : strcmp(key, "command") == 0 ? &secret->command
                   : strcmp(key, "env") == 0     ? &secret->variable
                                                 : NULL;
    if (!place) {
        return words(
            "secret \"%s\" has an unknown key \"%s\". Use file or command, and env for a variable.", secret->name, key);
    }
    bool is_good = strlen(text) == member->length && text[strspn(text, " \t\n\v\f\r")];
    if (place == &secret->variable) is_good = is_good && is_made_of(text, "_", "0123456789");
    if (!is_good) {
        return words(
            "\"%s\" of secret \"%s\" is not %s", key, secret->name,
            place == &secret->file      ? "a path. Write one, such as /etc/backup/password."
            : place == &secret->command ? "a command. Write one that prints the secret, such as `pass show backup`."
                                        : "the name of a variable. Write one, such as DB_PASSWORD.");
    }
    free(*place);
    *place = strdup(text);
    if (!*place) abort();
    return NULL;
}

static char *take_secret(command_settings *settings, const command_json *given) {
    if (!is_made_of(given->key, "_-.@+", ".")) {
        return words(
            "\"secrets\" holds \"%s\", which can't be the name of a secret. Use letters, digits and _-.@+, and no dot first.",
            given->key);
    }
    command_secret *secret = secret_named(settings, given->key);
    char *found = NULL;
    for (const command_json *each = given->first; each && !found; each = each->next) found = take_member(secret, each);
    return found;
}

static bool is_set(const command_settings *settings, const char *name) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        if (strcmp(settings->variables[i].name, name) == 0) return true;
    }
    return false;
}

/* What is wrong with a secret once the app's and the task's are joined. */
static char *whole_finding(const command_settings *settings, const command_secret *secret) {
    if (!secret->file == !secret->command) {
        return words(
            "secret \"%s\" has %s. Name one of the two.", secret->name,
            secret->file ? "both a file and a command" : "neither a file nor a command");
    }
    if (secret->variable && strcmp(secret->variable, COMMAND_CREDENTIALS) == 0) {
        return words("secret \"%s\" can't be in " COMMAND_CREDENTIALS ": that names the folder of secrets.", secret->name);
    }
    for (const command_secret *other = settings->secrets; secret->variable && other < secret; other++) {
        if (!other->variable || strcmp(other->variable, secret->variable) != 0) continue;
        return words(
            "secrets \"%s\" and \"%s\" are both in the variable %s. Name another in one of them.", other->name,
            secret->name, secret->variable);
    }
    return NULL;
}

char *command_secrets_take(command_settings *settings, const command_json *const maps[2]) {
    char *found = NULL;
    for (int i = 0; i < 2; i++) {
        const command_json *each = maps[i] ? maps[i]->first : NULL;
        for (; each && !found; each = each->next) found = take_secret(settings, each);
    }
    for (size_t i = 0; i < settings->secret_count && !found; i++) found = whole_finding(settings, &settings->secrets[i]);
    if (!found && settings->secret_count > 0 && is_set(settings, COMMAND_CREDENTIALS)) {
        found = words("\"env\" sets " COMMAND_CREDENTIALS ", which names the folder of \"secrets\". Take it out.");
    }
    return found;
}

size_t command_secret_length(const command_secret *secret) {
    size_t length = secret->length;
    return length > 0 && secret->text[length - 1] == '\n' ? length - 1 : length;
}
