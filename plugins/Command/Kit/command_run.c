#define _GNU_SOURCE
#include "command_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long killed processes have to be gone. */
static const int64_t dying_ns = 1000000000;

void command_forget_followers(command_loop *loop, struct run *run) {
    while (run->followers) {
        struct source *follower = run->followers;
        run->followers = follower->next;
        command_retire(loop, follower);
    }
}

/* Events that are being handled may still name it. */
static void leave(command_loop *loop, struct run *run) {
    *(run->previous ? &run->previous->next : &loop->runs) = run->next;
    if (run->next) run->next->previous = run->previous;
    run->next = loop->ended_runs;
    loop->ended_runs = run;
}

/* Reports the end, after all output of the command. */
static void finish(command_loop *loop, struct run *run) {
    command_forget_followers(loop, run);
    command_empty(loop, &run->output);
    command_empty(loop, &run->error);
    command_close(loop, &run->leader);
    /* Before the end is reported, because the worker may end then. */
    command_credentials_remove(run->credentials);
    command_outcome *outcome = &run->outcome;
    outcome->is_success = outcome->has_exited && !outcome->is_cancelled && run->is_success[outcome->status & 0xff];
    char *message = command_outcome_message(outcome);
    loop->listener->ended(loop->listener->context, run->task, outcome, message);
    free(message);
    leave(loop, run);
}

/* Signals its first process, too, which may have gone into another group: until it is reaped its number is its own. */
void command_signal(const struct run *run, int number) {
    pid_t pid = run->process.pid;
    kill(-pid, number);
    if (!run->has_ended && (number == SIGKILL || getpgid(pid) != pid)) kill(pid, number);
}

/* Whether there is a process of this group, be it one that has ended and was not reaped. */
static bool has_group(pid_t group) { return kill(-group, 0) == 0 || errno != ESRCH; }

/* Watches for their ends by pidfds. They are not our children, so there is nothing to wait for. */
static void watch_followers(command_loop *loop, struct run *run, const command_follower *found, size_t count) {
    command_forget_followers(loop, run);
    for (size_t i = 0; i < count; i++) {
        struct source *follower = calloc(1, sizeof *follower);
        if (!follower) break;
        *follower = (struct source){.kind = FOLLOWER, .run = run};
        follower->descriptor = (int)syscall(SYS_pidfd_open, found[i].pid, 0);
        if (follower->descriptor < 0 || command_watch(loop, follower) != 0) {
            command_retire(loop, follower);
            continue;
        }
        follower->next = run->followers;
        run->followers = follower;
    }
    /* If none could be watched, the group is looked at again. */
    run->look = run->followers ? 0 : command_now() + LOOK_NS;
    if (run->look != 0) command_set_alarm(loop, run->look);
}

/* The processes are named in the outcome, and have to be gone before the end is reported. */
static void kill_group(command_loop *loop, struct run *run, const command_follower *found, size_t count) {
    run->outcome.left_behind = count;
    for (size_t i = 0; i < count && i < COMMAND_LEFT_NAMED; i++) run->outcome.left[i] = found[i];
    command_signal(run, SIGKILL);
    run->was_killed = true;
    run->deadline = command_now() + dying_ns;
    command_set_alarm(loop, run->deadline);
}

/* The leader has ended: the rest of its group has the grace if the task expired, and else is killed. The group's number is not
   reused while one of its processes lives, and a moment later no other group can have got it. */
static void end_group(command_loop *loop, struct run *run) {
    pid_t group = run->process.pid;
    command_follower found[256];
    bool may_leave = run->leaves_running && !run->outcome.is_cancelled;
    if (may_leave || !has_group(group)) return finish(loop, run);
    size_t room = sizeof found / sizeof *found, count = command_followers(group, found, room);
    if (count > 0 && !run->was_killed && run->deadline <= command_now()) kill_group(loop, run, found, count);
    if (count > 0 && run->deadline > command_now())
        return watch_followers(loop, run, found, count < room ? count : room);
    bool was_leader_killed = run->outcome.is_cancelled && run->outcome.status == SIGKILL && !run->outcome.has_exited;
    if (run->was_killed && was_leader_killed) run->outcome.left_behind = 0;
    finish(loop, run);
}

void command_leader_ended(command_loop *loop, struct run *run) {
    siginfo_t info = {.si_pid = 0};
    int result;
    do result = waitid(P_PID, (id_t)run->process.pid, &info, WEXITED | WNOHANG);
    while (result < 0 && errno == EINTR);
    if (result == 0 && info.si_pid == 0) return;
    run->has_ended = true;
    run->outcome.has_exited = result == 0 && info.si_code == CLD_EXITED;
    run->outcome.status = result == 0 ? info.si_status : SIGKILL;
    command_close(loop, &run->leader);
    end_group(loop, run);
}

/* The deadline is over: after this no process of the group is left, leader or not. */
static void deadline_met(command_loop *loop, struct run *run) {
    if (run->has_ended) {
        if (!run->was_killed) return end_group(loop, run);
        return finish(loop, run);
    }
    /* It may have ended within its grace, and the event was not handled yet. */
    command_leader_ended(loop, run);
    if (run->has_ended) return;
    /* A leader that was about to end all the same ended by itself, and left these behind. */
    command_follower found[COMMAND_LEFT_NAMED];
    kill_group(loop, run, found, command_followers(run->process.pid, found, COMMAND_LEFT_NAMED));
}

static struct run *find(command_loop *loop, uint64_t task) {
    struct run *run = loop->runs;
    while (run && run->task != task) run = run->next;
    return run;
}

void command_expire(command_loop *loop, uint64_t task) {
    struct run *run = find(loop, task);
    if (!run || run->outcome.is_cancelled) return;
    run->outcome.is_cancelled = true;
    run->deadline = command_now() + run->grace_ns;
    command_set_alarm(loop, run->deadline);
    command_signal(run, SIGTERM);
}

static void refuse(command_loop *loop, const command_wish *wish, command_fault fault, const char *sentence) {
    command_outcome outcome = {.fault = fault, .is_urgent = wish->cause.is_urgent};
    loop->listener->ended(loop->listener->context, wish->task, &outcome, sentence);
}

static bool watch_run(command_loop *loop, struct run *run) {
    return command_watch(loop, &run->leader) == 0 && command_watch(loop, &run->output) == 0
           && command_watch(loop, &run->error) == 0;
}

/* The kernel has no more room for what this user watches, or no memory: the others go on. */
static void give_up(command_loop *loop, struct run *run, const command_wish *wish) {
    char *sentence = NULL;
    if (asprintf(&sentence,
            "the command could not be watched and was killed: %s. This user watches as much as it may "
            "(/proc/sys/fs/epoll/max_user_watches).",
            strerror(errno)) < 0)
        abort();
    command_signal(run, SIGKILL);
    while (waitpid(run->process.pid, NULL, 0) < 0 && errno == EINTR) continue;
    command_close(loop, &run->leader);
    command_close(loop, &run->output);
    command_close(loop, &run->error);
    command_credentials_remove(run->credentials);
    refuse(loop, wish, COMMAND_NOT_SPAWNED, sentence);
    free(sentence);
    leave(loop, run);
}

/* Reads all that is needed before a command begins; if there is a sentence, the result is the kind of fault. */
static command_fault prepare(
    command_loop *loop, const command_wish *wish, command_settings *settings, command_credentials **credentials,
    char **sentence) {
    if ((*sentence = command_settings_read(settings, wish->settings, loop->app))) return COMMAND_BAD_SETTINGS;
    if ((*sentence = command_variable_files_read(settings, loop->base))) return COMMAND_BAD_FILE;
    bool is_expired;
    *sentence = command_secrets_read(settings, loop->base, &loop->inbox, wish->task, &is_expired);
    if (!*sentence) *sentence = command_credentials_make(credentials, settings, loop->state, wish->task);
    return is_expired ? COMMAND_EXPIRED : COMMAND_BAD_SECRET;
}

void command_begin(command_loop *loop, const command_wish *wish) {
    if (wish->is_expired) {
        return refuse(loop, wish, COMMAND_EXPIRED, "the task expired before its command was started.");
    }
    command_settings settings;
    command_credentials *credentials = NULL;
    char *sentence;
    command_fault refused = prepare(loop, wish, &settings, &credentials, &sentence);
    if (sentence) {
        refuse(loop, wish, refused, sentence);
        command_settings_free(&settings);
        return free(sentence);
    }
    struct run *run = calloc(1, sizeof *run);
    if (!run) abort();
    run->credentials = credentials;
    settings.cause = &wish->cause;
    command_fault fault = command_start(&settings, loop->base, &run->process, &sentence);
    if (fault == COMMAND_STARTED) {
        run->task = wish->task;
        run->grace_ns = settings.grace_ns;
        run->leaves_running = wish->cause.leaves_running;
        run->outcome.is_for_shell = settings.is_for_shell;
        run->outcome.is_urgent = wish->cause.is_urgent;
        memcpy(run->is_success, settings.is_success, sizeof run->is_success);
        run->outcome.success = run->is_success;
        run->leader = (struct source){.kind = LEADER, .descriptor = run->process.pidfd, .run = run};
        run->output = (struct source){.descriptor = run->process.output, .stream = COMMAND_OUTPUT, .run = run};
        run->error = (struct source){.descriptor = run->process.error, .stream = COMMAND_ERROR, .run = run};
        run->output.mask = command_mask_make(settings.secrets, settings.secret_count);
        run->error.mask = command_mask_make(settings.secrets, settings.secret_count);
        run->next = loop->runs;
        if (run->next) run->next->previous = run;
        loop->runs = run;
        if (!watch_run(loop, run)) give_up(loop, run, wish);
    } else {
        command_credentials_remove(credentials);
        free(run);
        refuse(loop, wish, fault, sentence);
        free(sentence);
    }
    command_settings_free(&settings);
}

void command_follower_ended(command_loop *loop, struct source *follower) {
    struct run *run = follower->run;
    command_unlink(&run->followers, follower);
    command_retire(loop, follower);
    /* Each may have left other processes. */
    if (!run->followers) end_group(loop, run);
}

void command_ring(command_loop *loop, struct run *run, int64_t now) {
    uint64_t task = run->task;
    if (run->deadline != 0 && run->deadline <= now) {
        deadline_met(loop, run);
    } else if (run->look != 0 && run->look <= now) {
        end_group(loop, run);
    }
    if (find(loop, task) != run) return;
    if (run->deadline != 0) command_set_alarm(loop, run->deadline);
    if (run->look != 0) command_set_alarm(loop, run->look);
}
