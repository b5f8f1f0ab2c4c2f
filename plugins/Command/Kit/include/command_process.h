#ifndef COMMAND_PROCESS_H
#define COMMAND_PROCESS_H

#include "command_settings.h"

#include <sys/types.h>

/* The variables that a command keeps of the environment that it is started from, copied once. `with_account`: those of the
   user come from the account if they are missing, as in a service of systemd's. Ends with a null. */
char **command_base_environment(char *const *inherited, bool with_account);

/* A command that runs: the leader of a process group of its own. */
typedef struct command_process {
    pid_t pid;
    /* Readable when it has ended. */
    int pidfd;
    /* Its output and its errors; reading never waits. */
    int output, error;
} command_process;

/* Why a command did not start. */
typedef enum command_fault {
    COMMAND_STARTED = 0,
    COMMAND_BAD_SETTINGS,
    COMMAND_BAD_FILE,
    COMMAND_BAD_SECRET,
    COMMAND_NOT_FOUND,
    COMMAND_NO_FOLDER,
    COMMAND_NOT_SPAWNED,
    COMMAND_NO_PIPE,
    COMMAND_EXPIRED,
} command_fault;

/* Starts a command. If that fails, `sentence` says how to fix it, and is to be freed. */
command_fault command_start(
    const command_settings *settings, char *const *base, command_process *process, char **sentence);

/* A process of a command's group that is not its first. */
typedef struct command_follower {
    pid_t pid;
    /* As the kernel has it. */
    char name[16];
} command_follower;

/* How many processes of a group still live, the leader not counted; with room, they are put into `found`. */
size_t command_followers(pid_t leader, command_follower *found, size_t room);

enum { COMMAND_LEFT_NAMED = 4 };

/* How a command ended. */
typedef struct command_outcome {
    command_fault fault;
    bool is_success;
    /* As from waitid: whether it exited, and the code or the signal. */
    bool has_exited;
    int status;
    /* Whether it was ended because the task's time was up. */
    bool is_cancelled;
    /* How many processes it had left behind, which were killed with it. */
    size_t left_behind;
    /* The first of these. */
    command_follower left[COMMAND_LEFT_NAMED];
    bool is_for_shell;
    /* People are to be told of it: it was begun for an urgent push. */
    bool is_urgent;
    /* For each exit code whether its settings count it as success. */
    const bool *success;
} command_outcome;

/* One sentence for the log, to be freed. */
char *command_outcome_message(const command_outcome *outcome);

#endif
