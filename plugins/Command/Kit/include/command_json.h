#ifndef COMMAND_JSON_H
#define COMMAND_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* A JSON value with all that is in it. */
typedef struct command_json command_json;

typedef enum command_json_kind {
    COMMAND_JSON_NULL,
    COMMAND_JSON_BOOL,
    COMMAND_JSON_NUMBER,
    COMMAND_JSON_TEXT,
    COMMAND_JSON_LIST,
    COMMAND_JSON_MAP,
} command_json_kind;

struct command_json {
    command_json_kind kind;
    /* A text without its escapes; a number or a boolean as it is written. Ends with a NUL that `length` does not count. */
    char *text;
    size_t length;
    /* Of a map's member. */
    char *key;
    /* A list's or a map's first, and the next beside this one. */
    command_json *first;
    command_json *next;
};

/* Reads one value, with nothing but space after it; null: the text is invalid. */
command_json *command_json_read(const char *text);
void command_json_free(command_json *value);

/* A map's member; null: it has none of this name. */
const command_json *command_json_member(const command_json *map, const char *key);

#endif
