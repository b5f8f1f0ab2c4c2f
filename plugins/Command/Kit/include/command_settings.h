#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One variable of an environment. */
typedef struct command_variable {
    char *name;
    char *value;
    /* For a variable of a file its place among all of them, from 1: no message shows its value. 0: of `env`. */
    size_t file_place;
} command_variable;

/* The `file_place` of a secret's variable. */
#define COMMAND_OF_SECRET SIZE_MAX

/* A secret of a command, which no output shows: the file NAME in $CREDENTIALS_DIRECTORY. */
typedef struct command_secret {
    char *name;
    /* Where it is read from: one of the two. */
    char *file, *command;
    /* A variable that holds it as well; null: none. */
    char *variable;
    /* As it was read; null: it was not yet. */
    char *text;
    size_t length;
} command_secret;

/* Without one newline at its end, which the file keeps and a variable does not: ssh takes no key without it. */
size_t command_secret_length(const command_secret *secret);

/* The cause of a run, as lull_launch has it. */
typedef struct command_cause {
    /* Events, as JSON; null: none. */
    const char *origin;
    /* The payload of a push, for the command's standard input; null: there is no push. */
    const char *payload;
    size_t payload_length;
    /* How many earlier pushes were merged into it. */
    uint32_t merged;
    bool is_urgent;
    /* Its processes may outlive it. */
    bool leaves_running;
} command_cause;

/* The settings of one task: the command line, and how it is run. */
typedef struct command_settings {
    /* Of `run`: a list as it stands; a text as the last argument of the shell. Ends with a null. */
    char **arguments;
    bool is_for_shell;
    char *shell;
    /* Added to the small environment that every command gets. */
    command_variable *variables;
    size_t variable_count;
    /* Files that add variables, a `-` before one that may be missing: the later wins, and `env` over all.
       Ends with a null. */
    char **variable_files;
    command_secret *secrets;
    size_t secret_count;
    /* Where it runs; `~`, also before a `/`, is the `HOME` that the command will see. Null: where the worker does. */
    char *folder;
    /* The command's standard input; null: the payload of the push, or nothing. */
    char *input;
    size_t input_length;
    bool is_success[256];
    /* How long a command has after SIGTERM, until SIGKILL. */
    int64_t grace_ns;
    /* The cause of the run, which the caller owns; null: there is none. */
    const command_cause *cause;
} command_settings;

/* The settings of the app, which hold for the tasks that do not say otherwise; read once, for they may be long. */
typedef struct command_json command_app_settings;
command_app_settings *command_app_settings_read(const char *app);
void command_app_settings_free(command_app_settings *app);

/* Reads a task's settings; every key that is wrong or unknown is refused with a sentence, which is to be freed. Null: they
   are good. `app`: null where they are no JSON; of `env` each variable holds that the task does not set. */
char *command_settings_read(command_settings *settings, const char *task, const command_app_settings *app);
void command_settings_free(command_settings *settings);

/* Reads the files of variables into the variables. Null: they are good; else a sentence, which is to be freed
   and shows nothing of the content. `base`: of every command; its `HOME` is the `~` of a path. */
char *command_variable_files_read(command_settings *settings, char *const *base);

/* The schema of the settings for `lull check` and editors; the reader accepts the same and no more. */
const char *command_schema(void);

#endif
