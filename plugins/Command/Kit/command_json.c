#define _GNU_SOURCE
#include "command_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The deepest nesting that is read. */
enum { DEPTH = 64 };

static command_json *read_value(const char **place, int depth);

static void skip_space(const char **place) {
    while (**place == ' ' || **place == '\t' || **place == '\n' || **place == '\r') ++*place;
}

static int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* Four digits behind `\u`; -1: they are not there. */
static int32_t read_unit(const char **place) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(**place);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
        ++*place;
    }
    return unit;
}

/* Writes a scalar as UTF-8; returns how many bytes that takes. */
static size_t encode(int32_t scalar, char *out) {
    if (scalar < 0x80) {
        out[0] = (char)scalar;
        return 1;
    }
    size_t count = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    static const int marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (scalar & 0x3f));
        scalar >>= 6;
    }
    out[0] = (char)(marks[count] | scalar);
    return count;
}

/* Reads an escape after its backslash; false: it is invalid. */
static bool read_escape(const char **place, char *out, size_t *length) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char name = *(*place)++;
    const char *known = name ? strchr(names, name) : NULL;
    if (known) {
        out[(*length)++] = values[known - names];
        return true;
    }
    if (name != 'u') return false;
    int32_t unit = read_unit(place);
    if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000)) return false;
    if (unit >= 0xd800 && unit < 0xdc00) {
        if ((*place)[0] != '\\' || (*place)[1] != 'u') return false;
        *place += 2;
        int32_t low = read_unit(place);
        if (low < 0xdc00 || low >= 0xe000) return false;
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    *length += encode(unit, out + *length);
    return true;
}

/* Reads a text after its first quote. A text is never longer than its notation. */
static char *read_text(const char **place, size_t *length) {
    const char *end = *place;
    while (*end && *end != '"') end += end[0] == '\\' && end[1] ? 2 : 1;
    char *text = *end ? malloc((size_t)(end - *place) + 1) : NULL;
    if (!text) return NULL;
    *length = 0;
    while (**place != '"') {
        bool is_good = (unsigned char)**place >= 0x20;
        if (is_good && **place == '\\') {
            ++*place;
            is_good = read_escape(place, text, length);
        } else if (is_good) {
            text[(*length)++] = *(*place)++;
        }
        if (!is_good) {
            free(text);
            return NULL;
        }
    }
    ++*place;
    text[*length] = '\0';
    return text;
}

static const char *digits(const char *place) {
    while (*place >= '0' && *place <= '9') place++;
    return place;
}

/* The end of a number; null: it is none. */
static const char *number_end(const char *place) {
    if (*place == '-') place++;
    const char *end = digits(place);
    if (end == place || (*place == '0' && end - place > 1)) return NULL;
    if (*end == '.') {
        place = end + 1;
        end = digits(place);
        if (end == place) return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        place = end + 1;
        if (*place == '+' || *place == '-') place++;
        end = digits(place);
        if (end == place) return NULL;
    }
    return end;
}

static bool read_plain(command_json *value, const char **place) {
    static const struct {
        const char *text;
        command_json_kind kind;
    } words[] = {{"null", COMMAND_JSON_NULL}, {"true", COMMAND_JSON_BOOL}, {"false", COMMAND_JSON_BOOL}};
    const char *end = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words && !end; i++) {
        if (strncmp(*place, words[i].text, strlen(words[i].text)) != 0) continue;
        end = *place + strlen(words[i].text);
        value->kind = words[i].kind;
    }
    if (!end) {
        end = number_end(*place);
        value->kind = COMMAND_JSON_NUMBER;
    }
    if (!end) return false;
    value->length = (size_t)(end - *place);
    value->text = strndup(*place, value->length);
    *place = end;
    return value->text != NULL;
}

/* The members behind the first bracket. */
static bool read_members(command_json *value, const char **place, int depth) {
    bool is_map = value->kind == COMMAND_JSON_MAP;
    char close = is_map ? '}' : ']';
    command_json **last = &value->first;
    skip_space(place);
    if (**place == close) {
        ++*place;
        return true;
    }
    for (;;) {
        char *key = NULL;
        skip_space(place);
        if (is_map) {
            size_t length = 0;
            if (*(*place)++ != '"' || !(key = read_text(place, &length))) return false;
            skip_space(place);
            /* A name with a NUL in it would pass for another. */
            if (strlen(key) != length || *(*place)++ != ':') {
                free(key);
                return false;
            }
        }
        command_json *member = read_value(place, depth + 1);
        if (!member) {
            free(key);
            return false;
        }
        member->key = key;
        *last = member;
        last = &member->next;
        skip_space(place);
        char mark = *(*place)++;
        if (mark == close) return true;
        if (mark != ',') return false;
    }
}

static command_json *read_value(const char **place, int depth) {
    command_json *value = depth < DEPTH ? calloc(1, sizeof *value) : NULL;
    if (!value) return NULL;
    bool is_good;
    skip_space(place);
    switch (**place) {
    case '"':
        ++*place;
        value->kind = COMMAND_JSON_TEXT;
        is_good = (value->text = read_text(place, &value->length)) != NULL;
        break;
    case '[':
    case '{':
        value->kind = *(*place)++ == '{' ? COMMAND_JSON_MAP : COMMAND_JSON_LIST;
        is_good = read_members(value, place, depth);
        break;
    default: is_good = read_plain(value, place);
    }
    if (is_good) return value;
    command_json_free(value);
    return NULL;
}

command_json *command_json_read(const char *text) {
    command_json *value = read_value(&text, 0);
    if (!value) return NULL;
    skip_space(&text);
    if (*text == '\0') return value;
    command_json_free(value);
    return NULL;
}

void command_json_free(command_json *value) {
    while (value) {
        command_json *next = value->next;
        command_json_free(value->first);
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

const command_json *command_json_member(const command_json *map, const char *key) {
    if (!map || map->kind != COMMAND_JSON_MAP) return NULL;
    for (const command_json *member = map->first; member; member = member->next) {
        if (strcmp(member->key, key) == 0) return member;
    }
    return NULL;
}
