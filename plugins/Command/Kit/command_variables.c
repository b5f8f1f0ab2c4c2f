#define _GNU_SOURCE
#include "command_variables.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const char *next, *end;
    size_t line;
};

/* A value as it is put together. */
struct value {
    char *text;
    size_t length;
};

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

/* To systemd a carriage return ends a line as well. */
static bool is_line_end(const struct reader *reader) {
    return reader->next == reader->end || *reader->next == '\n' || *reader->next == '\r';
}

static char take(struct reader *reader) {
    if (*reader->next == '\n') reader->line++;
    return *reader->next++;
}

static void skip_blanks(struct reader *reader) {
    while (reader->next < reader->end && is_blank(*reader->next)) reader->next++;
}

static bool is_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char letter = name[i] | 0x20;
        bool is_digit = name[i] >= '0' && name[i] <= '9';
        if (!(letter >= 'a' && letter <= 'z') && name[i] != '_' && !(is_digit && i > 0)) return false;
    }
    return length > 0;
}

/* Reads a name, without the blanks at its end and an `export` before it. */
static char *read_name(struct reader *reader, const char **fault) {
    const char *first = reader->next;
    while (!is_line_end(reader) && *reader->next != '=') reader->next++;
    if (is_line_end(reader)) {
        *fault = "this line is not NAME=VALUE. Correct it, begin it with # if it is a comment, or put a "
                 "value of several lines in quotes.";
        return NULL;
    }
    const char *last = reader->next++;
    while (last > first && is_blank(last[-1])) last--;
    if (last - first > 7 && memcmp(first, "export", 6) == 0 && is_blank(first[6])) {
        for (first += 6; is_blank(*first); first++) continue;
    }
    if (last - first > 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0) {
        *fault = "a byte order mark is here, which no editor shows. Save the file as UTF-8 without one.";
        return NULL;
    }
    if (!is_name(first, (size_t)(last - first))) {
        *fault = "what is before the = is not the name of a variable. Use letters, digits and _, and no "
                 "digit first.";
        return NULL;
    }
    char *name = strndup(first, (size_t)(last - first));
    if (!name) abort();
    return name;
}

static void append(struct value *value, char byte) { value->text[value->length++] = byte; }

/* Reads from after the first quote to the last; false: there is no last one. */
static bool read_quoted(struct reader *reader, char quote, struct value *value) {
    while (reader->next < reader->end) {
        char byte = take(reader);
        if (byte == quote) return true;
        if (byte == '\\' && quote == '"' && reader->next < reader->end) {
            byte = take(reader);
            if (byte == '\n') continue;
            if (!strchr("\"\\`$", byte)) append(value, '\\');
        }
        append(value, byte);
    }
    return false;
}

/* Reads to the end of the line; blanks there are cut, unless a backslash is before or after them. */
static void read_bare(struct reader *reader, struct value *value) {
    size_t kept = value->length;
    while (!is_line_end(reader)) {
        char byte = take(reader);
        bool is_escaped = byte == '\\';
        if (is_escaped) {
            kept = value->length;
            if (reader->next == reader->end) break;
            byte = take(reader);
            if (byte == '\n' || byte == '\r') continue;
        }
        append(value, byte);
        if (is_escaped || !is_blank(byte)) kept = value->length;
    }
    value->length = kept;
}

/* Parts in quotes, and then perhaps one that is bare: they are joined. */
static bool read_value(struct reader *reader, struct value *value, command_text_fault *fault) {
    for (skip_blanks(reader); !is_line_end(reader); skip_blanks(reader)) {
        if (*reader->next != '"' && *reader->next != '\'') {
            read_bare(reader, value);
            break;
        }
        fault->line = reader->line;
        if (!read_quoted(reader, take(reader), value)) {
            fault->words = "the quote that begins here does not end. Close it.";
            return false;
        }
    }
    return true;
}

static void add(command_variables *variables, char *name, const struct value *value) {
    if (variables->count == variables->room) {
        variables->room = variables->room ? 2 * variables->room : 16;
        variables->first = realloc(variables->first, variables->room * sizeof *variables->first);
        if (!variables->first) abort();
    }
    char *own = strndup(value->text, value->length);
    if (!own) abort();
    variables->first[variables->count++] = (command_variable){.name = name, .value = own};
}

bool command_variables_read(
    command_variables *variables, const char *text, size_t length, command_text_fault *fault) {
    struct reader reader = {.next = text, .end = text + length, .line = 1};
    const char *nul = memchr(text, 0, length);
    *fault = (command_text_fault){.words = NULL};
    if (nul) {
        while (reader.next < nul) take(&reader);
        fault->line = reader.line;
        fault->words = "a NUL character is here, which no variable can hold. Take it out.";
        return false;
    }
    /* A value is never longer than its notation. */
    struct value value = {.text = malloc(length + 1)};
    if (!value.text) abort();
    while (!fault->words && reader.next < reader.end) {
        bool is_space = is_blank(*reader.next) || *reader.next == '\r' || *reader.next == '\n';
        if (is_space) {
            take(&reader);
        } else if (*reader.next == '#' || *reader.next == ';') {
            while (!is_line_end(&reader)) reader.next++;
        } else {
            fault->line = reader.line;
            char *name = read_name(&reader, &fault->words);
            value.length = 0;
            if (name && read_value(&reader, &value, fault)) {
                add(variables, name, &value);
            } else {
                free(name);
            }
        }
    }
    free(value.text);
    return !fault->words;
}
