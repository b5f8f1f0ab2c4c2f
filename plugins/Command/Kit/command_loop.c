#define _GNU_SOURCE
#include "command_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS = 64,
    /* What a pipe holds at most, unless a privileged process has made it larger. */
    PIPE_ROOM = 1 << 20,
    /* Commands started before one that has ended is looked at. */
    STARTS = 8,
    /* So much goes into a pipe that has any room, without waiting (PIPE_BUF). */
    LATE_PIECE = 4096,
};

int64_t command_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void command_set_alarm(command_loop *loop, int64_t time) {
    if (loop->alarm == 0 || time < loop->alarm) loop->alarm = time;
}

int command_watch(command_loop *loop, struct source *source) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = source}};
    return epoll_ctl(loop->poll, EPOLL_CTL_ADD, source->descriptor, &event);
}

/* A child that is just being started has a copy for a moment, so that closing alone would not end the watch. */
void command_close(command_loop *loop, struct source *source) {
    if (source->descriptor < 0) return;
    epoll_ctl(loop->poll, EPOLL_CTL_DEL, source->descriptor, NULL);
    close(source->descriptor);
    source->descriptor = -1;
    command_mask_free(source->mask);
    source->mask = NULL;
}

void command_retire(command_loop *loop, struct source *source) {
    command_close(loop, source);
    source->next = loop->ended_sources;
    loop->ended_sources = source;
}

/* Passes on the bytes that were read, with secrets hidden. */
static void tell(command_loop *loop, struct source *pipe, const char *bytes, size_t count, bool is_last) {
    const command_listener *listener = loop->listener;
    if (pipe->mask) bytes = command_mask_pass(pipe->mask, bytes, count, is_last, &count);
    for (size_t most = pipe->run ? PIECE : LATE_PIECE, piece; count > 0; bytes += piece, count -= piece) {
        piece = count < most ? count : most;
        if (pipe->run) {
            listener->printed(listener->context, pipe->run->task, pipe->stream, bytes, piece);
        } else {
            listener->late(listener->context, pipe->stream, bytes, piece);
        }
    }
}

ssize_t command_read_once(command_loop *loop, struct source *pipe) {
    ssize_t count;
    do count = read(pipe->descriptor, loop->buffer, PIECE);
    while (count < 0 && errno == EINTR);
    if (count >= 0) tell(loop, pipe, loop->buffer, (size_t)count, count == 0);
    if (count == 0) command_close(loop, pipe);
    return count < 0 ? -1 : count;
}

void command_empty(command_loop *loop, struct source *pipe) {
    for (ssize_t room = PIPE_ROOM, count; pipe->descriptor >= 0 && room > 0; room -= count) {
        if ((count = command_read_once(loop, pipe)) < 0) break;
    }
    if (pipe->descriptor < 0) return;
    struct source *late = calloc(1, sizeof *late);
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = late}};
    if (!late || epoll_ctl(loop->poll, EPOLL_CTL_MOD, pipe->descriptor, &event) != 0) {
        free(late);
        return command_close(loop, pipe);
    }
    *late = (struct source){.kind = PIPE, .descriptor = pipe->descriptor, .stream = pipe->stream, .next = loop->late};
    late->mask = pipe->mask;
    loop->late = late;
    pipe->mask = NULL;
    pipe->descriptor = -1;
}

static void take_wishes(command_loop *loop) {
    command_wish *wish;
    for (int started = 0; started < STARTS && (wish = command_inbox_take(&loop->inbox));) {
        switch (wish->kind) {
        case COMMAND_BEGIN:
            command_begin(loop, wish);
            started++;
            break;
        case COMMAND_EXPIRE: command_expire(loop, wish->task); break;
        case COMMAND_STOP: loop->is_stopping = true; break;
        }
        command_wish_free(wish);
    }
}

void command_unlink(struct source **list, const struct source *source) {
    while (*list && *list != source) list = &(*list)->next;
    if (*list) *list = (*list)->next;
}

/* Passes on the bytes of a late pipe, or stops watching it until there is room for them. */
static void pass_on(command_loop *loop, struct source *pipe) {
    const command_listener *listener = loop->listener;
    if (!listener->takes_late(listener->context, pipe->stream)) {
        struct epoll_event nothing = {.events = 0, .data = {.ptr = pipe}};
        epoll_ctl(loop->poll, EPOLL_CTL_MOD, pipe->descriptor, &nothing);
        loop->late_again = command_now() + LOOK_NS;
        return command_set_alarm(loop, loop->late_again);
    }
    ssize_t count = read(pipe->descriptor, loop->buffer, LATE_PIECE);
    if (count > 0) return tell(loop, pipe, loop->buffer, (size_t)count, false);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    tell(loop, pipe, NULL, 0, true);
    command_unlink(&loop->late, pipe);
    command_retire(loop, pipe);
}

static void listen_again(command_loop *loop) {
    loop->late_again = 0;
    for (struct source *pipe = loop->late; pipe; pipe = pipe->next) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = pipe}};
        epoll_ctl(loop->poll, EPOLL_CTL_MOD, pipe->descriptor, &event);
    }
}

/* Does what is due, and sets the alarm for the next. */
static void ring(command_loop *loop) {
    int64_t now = command_now();
    if (loop->alarm == 0 || loop->alarm > now) return;
    loop->alarm = 0;
    if (loop->late_again != 0 && loop->late_again <= now) listen_again(loop);
    if (loop->late_again != 0) command_set_alarm(loop, loop->late_again);
    for (struct run *run = loop->runs, *next; run; run = next) {
        next = run->next;
        command_ring(loop, run, now);
    }
}

static void take_event(command_loop *loop, struct source *source) {
    /* An earlier event has closed it. */
    if (source->descriptor < 0) return;
    switch (source->kind) {
    case PIPE:
        if (source->run) {
            command_read_once(loop, source);
        } else {
            pass_on(loop, source);
        }
        break;
    case LEADER: command_leader_ended(loop, source->run); break;
    case FOLLOWER: command_follower_ended(loop, source); break;
    case BELL: take_wishes(loop); break;
    }
}

static void bury(command_loop *loop) {
    for (struct run *run; (run = loop->ended_runs);) {
        loop->ended_runs = run->next;
        free(run);
    }
    for (struct source *source; (source = loop->ended_sources);) {
        loop->ended_sources = source->next;
        free(source);
    }
}

void command_loop_run(command_loop *loop) {
    struct epoll_event events[EVENTS];
    while (!loop->is_stopping) {
        int64_t left = loop->alarm == 0 ? -1 : (loop->alarm - command_now()) / 1000000 + 1;
        int timeout = left < 0 ? (loop->alarm == 0 ? -1 : 0) : left > 3600000 ? 3600000 : (int)left;
        int count = epoll_wait(loop->poll, events, EVENTS, timeout);
        for (int i = 0; i < count; i++) take_event(loop, events[i].data.ptr);
        ring(loop);
        bury(loop);
    }
}

command_loop *command_loop_make(
    const command_listener *listener, char *const *base, const command_app_settings *app, const char *state) {
    command_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    int fault = command_inbox_open(&loop->inbox);
    *loop = (command_loop){.listener = listener, .base = base, .app = app, .state = state, .inbox = loop->inbox};
    command_credentials_clean(state);
    loop->inbox.last = &loop->inbox.first;
    loop->bell = (struct source){.kind = BELL, .descriptor = loop->inbox.bell};
    loop->poll = epoll_create1(EPOLL_CLOEXEC);
    if (!fault && (loop->poll < 0 || command_watch(loop, &loop->bell) != 0)) fault = errno;
    if (!fault) return loop;
    command_loop_free(loop);
    errno = fault;
    return NULL;
}

void command_loop_begin(command_loop *loop, uint64_t task, const char *settings) {
    command_loop_begin_for(loop, task, settings, NULL);
}

void command_loop_begin_for(command_loop *loop, uint64_t task, const char *settings, const command_cause *cause) {
    command_inbox_put(&loop->inbox, COMMAND_BEGIN, task, settings, cause);
}

void command_loop_expire(command_loop *loop, uint64_t task) {
    command_inbox_put(&loop->inbox, COMMAND_EXPIRE, task, NULL, NULL);
}

void command_loop_stop(command_loop *loop) { command_inbox_put(&loop->inbox, COMMAND_STOP, 0, NULL, NULL); }

void command_loop_free(command_loop *loop) {
    for (struct run *run = loop->runs, *next; run; run = next) {
        next = run->next;
        command_signal(run, SIGKILL);
        if (!run->has_ended) waitpid(run->process.pid, NULL, 0);
        command_forget_followers(loop, run);
        command_close(loop, &run->leader);
        command_close(loop, &run->output);
        command_close(loop, &run->error);
        command_credentials_remove(run->credentials);
        free(run);
    }
    while (loop->late) {
        struct source *pipe = loop->late;
        loop->late = pipe->next;
        command_retire(loop, pipe);
    }
    bury(loop);
    command_inbox_close(&loop->inbox);
    if (loop->poll >= 0) close(loop->poll);
    free(loop);
}
