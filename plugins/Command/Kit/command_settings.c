#define _GNU_SOURCE
#include "command_settings.h"

#include "command_json.h"
#include "command_secret_settings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const known_keys[] = {
    "run", "shell", "env", "env_file", "secrets", "cwd", "stdin", "success", "grace_seconds",
};
enum { KEYS = sizeof known_keys / sizeof *known_keys };

/* The key that the worker adds to the settings of every app. */
static const char reserved_key[] = "lull";

/* A finding, as a sentence with its place. */
__attribute__((format(printf, 1, 2))) static char *finding(const char *format, ...) {
    char *text = NULL, *sentence = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    if (asprintf(&sentence, "settings of the task: %s", text ? text : "there is no memory to read them.") < 0) abort();
    free(text);
    return sentence;
}

static char *wrong_type(const char *key, const command_json *value) {
    return value->kind == COMMAND_JSON_NULL ? finding("\"%s\" holds a null.", key)
                                            : finding("\"%s\" has the wrong type.", key);
}

static bool is_known(const char *key) {
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(key, known_keys[i]) == 0) return true;
    }
    return strcmp(key, reserved_key) == 0;
}

/* A text, or a number or boolean that stands where a text is meant: `JOBS: 4` is as good as `JOBS: "4"`. */
static bool is_word(const command_json *value) {
    return value->kind == COMMAND_JSON_TEXT || value->kind == COMMAND_JSON_NUMBER || value->kind == COMMAND_JSON_BOOL;
}

static bool has_nul(const command_json *value) { return strlen(value->text) != value->length; }

static bool is_code(const command_json *value, int32_t *code) {
    double number = value->kind == COMMAND_JSON_NUMBER ? strtod(value->text, NULL) : NAN;
    if (!(fabs(number) <= INT32_MAX) || number != floor(number)) return false;
    *code = (int32_t)number;
    return true;
}

/* What is wrong with the type of a value; null: nothing. */
static char *type_finding(const char *key, const command_json *value) {
    bool is_text = strcmp(key, "shell") == 0 || strcmp(key, "cwd") == 0 || strcmp(key, "stdin") == 0;
    if (is_text && value->kind != COMMAND_JSON_TEXT) return wrong_type(key, value);
    if (strcmp(key, "grace_seconds") == 0 && value->kind != COMMAND_JSON_NUMBER) return wrong_type(key, value);
    bool is_files = strcmp(key, "env_file") == 0;
    if (strcmp(key, "run") == 0 || is_files) {
        if (value->kind == COMMAND_JSON_TEXT) return NULL;
        if (value->kind != COMMAND_JSON_LIST) return wrong_type(key, value);
    }
    bool is_secrets = strcmp(key, "secrets") == 0;
    if ((is_secrets || strcmp(key, "env") == 0) && value->kind != COMMAND_JSON_MAP) return wrong_type(key, value);
    if (strcmp(key, "success") == 0 && value->kind != COMMAND_JSON_LIST) return wrong_type(key, value);
    int32_t code;
    for (const command_json *item = value->first; item; item = item->next) {
        bool is_good = strcmp(key, "success") == 0 ? is_code(item, &code)
                       : is_files                  ? item->kind == COMMAND_JSON_TEXT
                       : is_secrets                ? item->kind == COMMAND_JSON_MAP
                                                   : is_word(item);
        if (!is_good) return wrong_type(key, item);
    }
    return NULL;
}

/* An unknown key or a value of a wrong type, as a sentence; null: there is none. */
static char *map_finding(const command_json *map) {
    if (!map || map->kind != COMMAND_JSON_MAP) return finding("they are not a map of keys to values.");
    const char *stray = NULL;
    for (const command_json *member = map->first; member; member = member->next) {
        if (!is_known(member->key) && (!stray || strcmp(member->key, stray) < 0)) stray = member->key;
    }
    if (stray) {
        return finding(
            "unknown key \"%s\". Known are run, shell, env, env_file, secrets, cwd, stdin, success, grace_seconds.",
            stray);
    }
    for (int i = 0; i < KEYS; i++) {
        const command_json *value = command_json_member(map, known_keys[i]);
        /* A null means the default; but "run" has none. */
        if (!value || (value->kind == COMMAND_JSON_NULL && i > 0)) continue;
        char *found = type_finding(known_keys[i], value);
        if (found) return found;
    }
    return NULL;
}

static const command_json *member(const command_json *task, const command_json *app, const char *key) {
    const command_json *own = command_json_member(task, key);
    if (own && own->kind != COMMAND_JSON_NULL) return own;
    const command_json *common = command_json_member(app, key);
    return common && common->kind != COMMAND_JSON_NULL ? common : NULL;
}

static char *copy(const command_json *value) {
    char *text = malloc(value->length + 1);
    if (!text) abort();
    return memcpy(text, value->text, value->length + 1);
}

static void *room(size_t count, size_t size) {
    void *room = calloc(count, size);
    if (!room) abort();
    return room;
}

static char *take_run(command_settings *settings, const command_json *run) {
    size_t count = 0;
    bool is_blank = true, is_cut = run->text && has_nul(run);
    for (const command_json *item = run->first; item; item = item->next) {
        is_cut = is_cut || has_nul(item);
        count++;
    }
    settings->is_for_shell = run->kind == COMMAND_JSON_TEXT;
    for (size_t i = 0; i < run->length; i++) is_blank = is_blank && strchr(" \t\n\v\f\r", run->text[i]) && run->text[i];
    if (settings->is_for_shell && is_blank) return finding("\"run\" is empty. Write the command there.");
    if (!settings->is_for_shell && (count == 0 || run->first->length == 0)) {
        return finding("\"run\" names no program. Write it as the first item of the list.");
    }
    if (is_cut) return finding("\"run\" holds a NUL character, which no command line can.");
    settings->arguments = room((settings->is_for_shell ? 3 : count) + 1, sizeof *settings->arguments);
    char **next = settings->arguments;
    if (settings->is_for_shell) {
        *next++ = strdup(settings->shell);
        *next++ = strdup("-c");
        *next++ = copy(run);
    }
    for (const command_json *item = run->first; item; item = item->next) *next++ = copy(item);
    for (char **each = settings->arguments; each < next; each++) {
        if (!*each) abort();
    }
    return NULL;
}

static void set_variable(command_settings *settings, const command_json *variable) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        if (strcmp(settings->variables[i].name, variable->key) != 0) continue;
        free(settings->variables[i].value);
        settings->variables[i].value = copy(variable);
        return;
    }
    command_variable *own = &settings->variables[settings->variable_count++];
    own->name = strdup(variable->key);
    if (!own->name) abort();
    own->value = copy(variable);
}

/* Takes the app's, and then the task's, which win. */
static char *take_variables(command_settings *settings, const command_json *const maps[2]) {
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        for (const command_json *each = maps[i] ? maps[i]->first : NULL; each; each = each->next) count++;
    }
    settings->variables = room(count + 1, sizeof *settings->variables);
    for (int i = 0; i < 2; i++) {
        for (const command_json *each = maps[i] ? maps[i]->first : NULL; each; each = each->next) {
            if (each->key[0] == '\0' || strchr(each->key, '=') || has_nul(each)) {
                return finding("\"env\" holds \"%s\", which can't be the name or value of a variable.", each->key);
            }
            set_variable(settings, each);
        }
    }
    return NULL;
}

/* Adds the files of one "env_file". */
static char *take_files(command_settings *settings, const command_json *value, size_t *count) {
    if (!value || value->kind == COMMAND_JSON_NULL) return NULL;
    bool is_list = value->kind == COMMAND_JSON_LIST;
    const command_json *each = is_list ? value->first : value;
    for (; each; each = is_list ? each->next : NULL) {
        if (each->length == 0 || strcmp(each->text, "-") == 0) {
            return finding("\"env_file\" names no file. Write its path, such as /etc/default/backup.");
        }
        if (has_nul(each)) return finding("\"env_file\" holds a NUL character, which no path can.");
        char **grown = realloc(settings->variable_files, (*count + 2) * sizeof *grown);
        if (!grown) abort();
        settings->variable_files = grown;
        grown[(*count)++] = copy(each);
        grown[*count] = NULL;
    }
    return NULL;
}

static char *take_success(command_settings *settings, const command_json *codes) {
    static const char sentence[] = "\"success\" is not a list of exit codes between 0 and 255.";
    settings->is_success[0] = !codes;
    if (!codes) return NULL;
    for (const command_json *item = codes->first; item; item = item->next) {
        int32_t code = -1;
        if (!is_code(item, &code) || code < 0 || code > 255) return finding("%s", sentence);
        settings->is_success[code] = true;
    }
    return codes->first ? NULL : finding("%s", sentence);
}

static char *take(command_settings *settings, const command_json *task, const command_json *app) {
    const command_json *run = member(task, app, "run"), *shell = member(task, app, "shell");
    const command_json *folder = member(task, app, "cwd"), *input = member(task, app, "stdin");
    const command_json *grace = member(task, app, "grace_seconds");
    if (!run) {
        return finding("\"run\" is missing. Write a command, as `run: backup --all`, or a list of arguments.");
    }
    if (shell && has_nul(shell)) return finding("\"shell\" holds a NUL character, which no path can.");
    if (folder && has_nul(folder)) return finding("\"cwd\" holds a NUL character, which no path can.");
    settings->shell = shell ? copy(shell) : strdup("/bin/sh");
    if (!settings->shell) abort();
    if (folder) settings->folder = copy(folder);
    if (input) settings->input = copy(input);
    settings->input_length = input ? input->length : 0;
    char *found = take_run(settings, run);
    const command_json *const maps[] = {command_json_member(app, "env"), command_json_member(task, "env")};
    if (!found) found = take_variables(settings, maps);
    const command_json *const secrets[] = {command_json_member(app, "secrets"), command_json_member(task, "secrets")};
    char *words = found ? NULL : command_secrets_take(settings, secrets);
    if (words) found = finding("%s", words);
    free(words);
    size_t files = 0;
    if (!found) found = take_files(settings, command_json_member(app, "env_file"), &files);
    if (!found) found = take_files(settings, command_json_member(task, "env_file"), &files);
    if (!found) found = take_success(settings, member(task, app, "success"));
    double seconds = grace ? strtod(grace->text, NULL) : 3;
    if (!found && !(seconds >= 0 && seconds <= 3600)) return finding("\"grace_seconds\" is not between 0 and 3600.");
    settings->grace_ns = found ? 0 : (int64_t)(seconds * 1e9);
    return found;
}

command_app_settings *command_app_settings_read(const char *app) { return command_json_read(app); }

void command_app_settings_free(command_app_settings *app) { command_json_free(app); }

char *command_settings_read(command_settings *settings, const char *task, const command_app_settings *app) {
    *settings = (command_settings){.arguments = NULL};
    command_json *own = command_json_read(task);
    char *found = map_finding(own);
    if (!found) found = map_finding(app);
    if (!found) found = take(settings, own, app);
    command_json_free(own);
    if (found) command_settings_free(settings);
    return found;
}

void command_settings_free(command_settings *settings) {
    for (char **each = settings->arguments; each && *each; each++) free(*each);
    for (char **each = settings->variable_files; each && *each; each++) free(*each);
    for (size_t i = 0; i < settings->variable_count; i++) {
        free(settings->variables[i].name);
        free(settings->variables[i].value);
    }
    for (command_secret *each = settings->secrets; each && each < settings->secrets + settings->secret_count; each++) {
        if (each->text) explicit_bzero(each->text, each->length);
        free(each->text);
        free(each->name);
        free(each->file);
        free(each->command);
        free(each->variable);
    }
    free(settings->arguments);
    free(settings->variables);
    free(settings->secrets);
    free(settings->variable_files);
    free(settings->shell);
    free(settings->folder);
    free(settings->input);
    *settings = (command_settings){.arguments = NULL};
}
