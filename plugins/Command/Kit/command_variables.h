#ifndef COMMAND_VARIABLES_H
#define COMMAND_VARIABLES_H

#include "command_settings.h"

/* Variables in the order in which they were read. */
typedef struct command_variables {
    command_variable *first;
    size_t count, room;
} command_variables;

/* A fault in a text, and the remedy: fixed words, so that nothing of the text is in them. */
typedef struct command_text_fault {
    size_t line;
    const char *words;
} command_text_fault;

/* Adds the variables of a text: lines of NAME=VALUE as systemd reads them in an `EnvironmentFile=`, also with
   `export`. False: it is refused; the variables before the fault are added all the same. */
bool command_variables_read(
    command_variables *variables, const char *text, size_t length, command_text_fault *fault);

#endif
