#ifndef COMMAND_SECRET_SETTINGS_H
#define COMMAND_SECRET_SETTINGS_H

#include "command_json.h"
#include "command_settings.h"

/* The variable that names the folder of secrets, as systemd calls it. */
#define COMMAND_CREDENTIALS "CREDENTIALS_DIRECTORY"

/* Takes the app's secrets, and then the task's; of one name they are joined. Null: they are good; else what is wrong. */
char *command_secrets_take(command_settings *settings, const command_json *const maps[2]);

#endif
