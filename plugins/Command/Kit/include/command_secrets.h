#ifndef COMMAND_SECRETS_H
#define COMMAND_SECRETS_H

#include "command_settings.h"

struct command_inbox;

/* Reads the secrets of the settings: files, and what commands print, one after the other. Null: all are read; else a
   sentence, which is to be freed and shows nothing of any secret. `base`: of every command. While a command of a secret
   runs, `inbox` is asked whether `task` has expired, which ends it and sets `is_expired`; null: it is asked nothing. */
char *command_secrets_read(
    command_settings *settings, char *const *base, struct command_inbox *inbox, uint64_t task, bool *is_expired);

/* A run's secrets as systemd's credentials: a folder with a file for each.
 *
 * The files are links to memory that this process holds and nobody can change. So a secret is never on a disk, and when
 * the process ends, even by SIGKILL, only links that lead nowhere are left. */
typedef struct command_credentials command_credentials;

/* Makes the folder below `state`, and adds the variables of the secrets and $CREDENTIALS_DIRECTORY to the settings. Null:
   it is made; else a sentence, which is to be freed. */
char *command_credentials_make(
    command_credentials **credentials, command_settings *settings, const char *state, uint64_t task);
void command_credentials_remove(command_credentials *credentials);

/* Removes the folders of processes that have ended without doing so. */
void command_credentials_clean(const char *state);

#endif
