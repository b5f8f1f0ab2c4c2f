#ifndef COMMAND_ENVIRONMENT_H
#define COMMAND_ENVIRONMENT_H

#include "command_settings.h"

/* The value of a variable; null: it is not there. */
const char *command_variable_in(char *const *environment, const char *name);

/* The environment of one command: the base, the variables that every command gets, and over both those of its settings. */
char **command_environment_make(const command_settings *settings, char *const *base);
void command_environment_free(char **environment);

#endif
