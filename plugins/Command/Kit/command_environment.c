#define _GNU_SOURCE
#include "command_environment.h"

#include "command_json.h"
#include "command_process.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The variables that a command keeps of the worker's environment; the rest is set here or in its settings. */
static const char *const kept[] = {"HOME", "LANG", "LC_ALL", "LOGNAME", "TZ", "USER"};
enum { KEPT = sizeof kept / sizeof *kept };

const char *command_variable_in(char *const *environment, const char *name) {
    size_t length = strlen(name);
    for (; *environment; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') return *environment + length + 1;
    }
    return NULL;
}

static char *pair(const char *name, const char *value) {
    char *text;
    if (asprintf(&text, "%s=%s", name, value) < 0) abort();
    return text;
}

char **command_base_environment(char *const *inherited, bool with_account) {
    char **base = calloc(KEPT + 1, sizeof *base);
    if (!base) abort();
    const struct passwd *account = NULL;
    size_t count = 0;
    for (int i = 0; i < KEPT; i++) {
        const char *value = command_variable_in(inherited, kept[i]);
        /* The worker's own `HOME` is the app's; a command has its user's. */
        const char *home = strcmp(kept[i], "HOME") == 0 ? command_variable_in(inherited, "LULL_USER_HOME") : NULL;
        bool is_account = strcmp(kept[i], "HOME") == 0 || strcmp(kept[i], "LOGNAME") == 0 || strcmp(kept[i], "USER") == 0;
        if (home) value = home;
        if (!value && is_account && with_account && (account || (account = getpwuid(geteuid())))) {
            value = strcmp(kept[i], "HOME") == 0 ? account->pw_dir : account->pw_name;
        }
        if (value) base[count++] = pair(kept[i], value);
    }
    return base;
}

static bool sets(const command_settings *settings, const char *name) {
    for (size_t i = 0; i < settings->variable_count; i++) {
        if (strcmp(settings->variables[i].name, name) == 0) return true;
    }
    return false;
}

/* The variables for the events that a run was launched for, by the names of their members. */
static const struct {
    const char *name, *member;
    /* The separator of a list's items; null: the first item alone. */
    const char *between;
} told[] = {
    {"LULL_EVENT", "on", " "},
    {"LULL_EVENT_COUNT", "count", NULL},
    {"LULL_EVENT_PATH", "paths", NULL},
    {"LULL_EVENT_PATHS", "paths", "\n"},
    {"LULL_EVENT_TASK", "task", NULL},
    {"LULL_EVENT_RUN", "run", NULL},
    {"LULL_EVENT_OUTCOME", "outcome", NULL},
    {"LULL_EVENT_DEVICE", "device", NULL},
    {"LULL_EVENT_USER", "user", NULL},
    {"LULL_EVENT_INCOMPLETE", "incomplete", NULL},
    {"LULL_EVENT_MISSED", "missed", NULL},
    {"LULL_ATTEMPT", "attempt", NULL},
    {"LULL_ATTEMPTS", "attempts", NULL},
    {"LULL_FENCE", "fence", NULL},
    {"LULL_SLOT", "slot", NULL},
};
enum { TOLD = sizeof told / sizeof *told, TOLD_OF_PUSH = 3 };

/* The value of one of them; null: there is none, or no variable can hold it. It is to be freed. */
static char *event_value(const command_json *member, const char *between) {
    if (!member) return NULL;
    if (member->kind != COMMAND_JSON_LIST) {
        return member->text && strlen(member->text) == member->length ? strdup(member->text) : NULL;
    }
    size_t length = 1;
    for (const command_json *each = member->first; each; each = each->next) length += each->length + 1;
    char *value = calloc(1, length);
    if (!value) abort();
    for (const command_json *each = member->first; each; each = each->next) {
        if (!each->text || strlen(each->text) != each->length) continue;
        /* A name with the separator in it would look like two. */
        if (between && strpbrk(each->text, between)) continue;
        if (*value && between) strcat(value, between);
        strcat(value, each->text);
        if (!between) break;
    }
    if (*value) return value;
    free(value);
    return NULL;
}

/* The most parameters that a task has. */
enum { PARAMS = 32 };

/* The parameters of a run: LULL_PARAM_DRY_RUN for `dry-run`. The shell never reads a value as a part of the command line. */
static size_t add_params(const command_settings *settings, const command_json *params, char **environment) {
    if (!params || params->kind != COMMAND_JSON_MAP) return 0;
    size_t count = 0;
    for (const command_json *each = params->first; each && count < PARAMS; each = each->next) {
        char name[96];
        if (snprintf(name, sizeof name, "LULL_PARAM_%s", each->key) >= (int)sizeof name) continue;
        for (char *letter = name; *letter; letter++) {
            if (*letter >= 'a' && *letter <= 'z') *letter += 'A' - 'a';
            if (*letter == '-') *letter = '_';
        }
        if (sets(settings, name)) continue;
        char *value = event_value(each, NULL);
        if (value) environment[count++] = pair(name, value);
        free(value);
    }
    return count;
}

static size_t add_events(const command_settings *settings, char **environment) {
    const char *events = settings->cause ? settings->cause->origin : NULL;
    command_json *origin = events ? command_json_read(events) : NULL;
    if (!origin) return 0;
    size_t count = 0;
    for (int i = 0; i < TOLD; i++) {
        if (sets(settings, told[i].name)) continue;
        char *value = event_value(command_json_member(origin, told[i].member), told[i].between);
        if (value) environment[count++] = pair(told[i].name, value);
        free(value);
    }
    count += add_params(settings, command_json_member(origin, "params"), environment + count);
    command_json_free(origin);
    return count;
}

/* The variables of a push; its payload is on the standard input. */
static size_t add_push(const command_settings *settings, char **environment) {
    const command_cause *cause = settings->cause;
    if (!cause || !cause->payload) return 0;
    size_t count = 0;
    char merged[16];
    snprintf(merged, sizeof merged, "%u", cause->merged);
    if (!sets(settings, "LULL_EVENT")) environment[count++] = pair("LULL_EVENT", "push");
    if (!sets(settings, "LULL_PUSH_MERGED")) environment[count++] = pair("LULL_PUSH_MERGED", merged);
    if (cause->is_urgent && !sets(settings, "LULL_PUSH_URGENT"))
        environment[count++] = pair("LULL_PUSH_URGENT", "true");
    return count;
}

char **command_environment_make(const command_settings *settings, char *const *base) {
    size_t count = 0, room = settings->variable_count + 3 + TOLD + PARAMS + TOLD_OF_PUSH;
    for (char *const *each = base; *each; each++) room++;
    char **environment = calloc(room, sizeof *environment);
    if (!environment) abort();
    for (char *const *each = base; *each; each++) {
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*each, "="), *each);
        if (sets(settings, name)) continue;
        environment[count] = strdup(*each);
        if (!environment[count++]) abort();
    }
    if (!sets(settings, "PATH")) environment[count++] = pair("PATH", "/usr/local/bin:/usr/bin:/bin");
    if (!sets(settings, "SHELL")) environment[count++] = pair("SHELL", settings->shell);
    count += add_events(settings, environment + count);
    count += add_push(settings, environment + count);
    for (size_t i = 0; i < settings->variable_count; i++) {
        environment[count++] = pair(settings->variables[i].name, settings->variables[i].value);
    }
    return environment;
}

void command_environment_free(char **environment) {
    for (char **each = environment; each && *each; each++) free(*each);
    free(environment);
}
