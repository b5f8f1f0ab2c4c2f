/* Frames that a worker sends, and others that none sends. */
#ifndef STORM_FRAMES_H
#define STORM_FRAMES_H

#include "fixture.h"

#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TO_HOST = 3, MANY = 20000 };
enum {
    REGISTERED = 65, HELLO, FAILED, SUBMIT, WITHDRAW, CANCEL, PENDING, RETURNED, COMPLETED, LOGGED, PROGRESS, VIOLATION,
    TITLES, BEGAN, ENDED, PRINTED,
    SKIPPED, HELD
};

static const char own[] = "com.example.Times.times", others[] = "com.example.Quiet.work";
static uint64_t run;
static char frame[1 << 18];
static size_t length;

static void put(const void *bytes, size_t count) {
    memcpy(frame + length, bytes, count);
    length += count;
}
static void byte(int value) { frame[length++] = (char)value; }
static void word(uint32_t value) { put(&value, sizeof value); }
static void number(uint64_t value) { put(&value, sizeof value); }
static void text(const char *value) {
    word((uint32_t)strlen(value));
    put(value, strlen(value));
}

static void send_it(void) {
    while (send(TO_HOST, frame, length, MSG_NOSIGNAL) < 0 && (errno == EAGAIN || errno == ENOBUFS)) usleep(1000);
    length = 0;
}
/* A frame that begins with the number of a run, a submit or an activity. */
static void begin(int type, uint64_t value) {
    byte(type);
    number(value);
}
static void progress(uint64_t of, int64_t completed, int64_t total) {
    begin(PROGRESS, of);
    number((uint64_t)completed);
    number((uint64_t)total);
    text("");
    send_it();
}
static void submit(uint64_t sequence, int kind, const char *identifier, int64_t first) {
    begin(SUBMIT, sequence);
    byte(kind);
    text(identifier);
    number((uint64_t)first);
    word(UINT32_MAX);
    word(UINT32_MAX);
    for (int i = 0; i < 4; i++) byte(0);
    send_it();
}
static void activity(int type, uint64_t value, const char *name) {
    begin(type, value);
    if (name) text(name);
    send_it();
}
static void registered(const char *identifier) {
    byte(REGISTERED);
    text(identifier);
    send_it();
}
static void completed(uint64_t of) {
    begin(COMPLETED, of);
    byte(1);
    number(0);
    send_it();
}

#endif
