#define _GNU_SOURCE
#include "command_file.h"
#include "command_variables.h"

#include <stdlib.h>
#include <string.h>

static const command_file_kind kind = {
    .key = "env_file",
    .room = 1 << 20,
    .missing = "Make it, correct \"env_file\", or write a - before the path if it may be missing.",
    .irregular = "Name one of NAME=VALUE lines in \"env_file\".",
    .too_large = "the file has more than 1 MiB. Leave nothing but variables in it.",
};

static char *take_file(
    command_variables *variables, const char *name, const command_settings *settings, char *const *base) {
    command_file file = {.kind = &kind, .may_be_missing = name[0] == '-'};
    file.path = command_file_path(settings, base, name + file.may_be_missing);
    char *found = command_file_read(&file);
    command_text_fault fault;
    if (!found && file.text && !command_variables_read(variables, file.text, file.length, &fault)) {
        found = command_file_finding(file.path, fault.line, fault.words);
    }
    free(file.text);
    free(file.path);
    return found;
}

/* Sorts by names; of one name the winner comes first: that of `env`, else the last in the files. */
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
        found = take_file(&all, *each, settings, base);
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
