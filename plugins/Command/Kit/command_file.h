#ifndef COMMAND_FILE_H
#define COMMAND_FILE_H

#include "command_settings.h"

/* A kind of file that a setting names: how large one may be, and the remedies of its sentences. */
typedef struct command_file_kind {
    const char *key;
    size_t room;
    const char *missing, *irregular, *too_large;
} command_file_kind;

/* A file that settings name. If it has no text once it is read, it is missing and may be. */
typedef struct command_file {
    const command_file_kind *kind;
    char *path;
    bool may_be_missing;
    char *text;
    size_t length;
} command_file;

/* Where `name` is: `~/` before it is the `HOME` of the command as `env` or, without that, `base` has it. To be freed. */
char *command_file_path(const command_settings *settings, char *const *base, const char *name);

/* A sentence about a place in a file; 0: about all of it. */
char *command_file_finding(const char *path, size_t line, const char *words);

/* Reads it without waiting. Null: it is read; else a sentence, which is to be freed and shows nothing of the content. */
char *command_file_read(command_file *file);

/* The user whom the command runs as, for a sentence: "user backup (34)". */
void command_user_words(char *words, size_t room);

#endif
