/*
 * Sends frames to the host that no worker sends: invalid, of others' runs, out of order, by the thousand; and changes its socket as no worker
 * does. Does the act that the launched task is named after, and completes the run.
 */
#define _GNU_SOURCE
#include "storm_frames.h"

#include <pthread.h>
#include <sys/un.h>

static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
enum { ENDS = sizeof ends / sizeof *ends };

static void act_advance(void) {
    for (int i = 0; i < ENDS * ENDS; i++) progress(run, ends[i / ENDS], ends[i % ENDS]);
}
static void act_times(void) {
    for (int i = 0; i < ENDS * 3; i++) submit((uint64_t)i, i % 3 + 1, own, ends[i / 3]);
}
static void act_foreign(void) {
    for (uint64_t other = 0; other < 100; other++) {
        if (other == run) continue;
        begin(PRINTED, other);
        byte(1);
        text("forged\n");
        send_it();
        begin(RETURNED, other);
        send_it();
        begin(TITLES, other);
        text("forged");
        text("forged");
        send_it();
        progress(other, 1, 1);
    }
}
static void act_neighbour(void) {
    submit(1, 2, others, 0);
    submit(2, 2, "*", 0);
    submit(3, 2, "", 0);
    begin(CANCEL, 4);
    byte(1);
    text(others);
    send_it();
    begin(WITHDRAW, 1 << 20);
    send_it();
}
static void act_completes(void) { completed(run + 1); }
static void act_last(void) { completed(UINT64_MAX); }
static void act_hello(void) {
    byte(HELLO);
    word(1);
    word(1);
    text("<script>");
    text("zz");
    byte(0);
    send_it();
}
static void act_failed(void) {
    byte(FAILED);
    byte(0);
    text("\033[31mforged\nlull: forged");
    send_it();
}
static void act_encoding(void) {
    begin(LOGGED, run);
    byte(2);
    text("\xed\xa0\x80\xff");
    send_it();
}
static void act_nul(void) {
    begin(LOGGED, run);
    byte(2);
    word(3);
    put("a\0b", 3);
    send_it();
}
static void act_short(void) {
    byte(COMPLETED);
    word(1);
    send_it();
}
static void act_surplus(void) {
    begin(RETURNED, run);
    word(0);
    send_it();
}
static void act_unknown(void) {
    byte(200);
    send_it();
}
static void act_long(void) {
    const int room = 1 << 20;
    setsockopt(TO_HOST, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    length = (128 << 10) + 1;
    send_it();
}
static void act_level(void) {
    begin(LOGGED, run);
    byte(7);
    text("x");
    send_it();
}
static void act_length(void) {
    begin(LOGGED, run);
    byte(2);
    word(UINT32_MAX);
    send_it();
}
static void act_sametwice(void) {
    for (int i = 0; i < 2; i++) activity(BEGAN, 7, "twice");
}
static void act_unbegun(void) { activity(ENDED, 70, NULL); }
static void act_toomany(void) {
    for (uint64_t i = 0; i <= 1000; i++) activity(BEGAN, i, "many");
}
static void act_late(void) { registered(others); }
static void act_wildcard(void) { registered("com.example.Wildcard.*"); }
/* The host keeps each for as long as the worker lives. */
static void act_register(void) {
    char name[64];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "com.example.Register.any.n%d", i);
        registered(name);
    }
}

static void act_asks(void) {
    for (uint64_t i = 0; i < MANY * 10; i++) {
        begin(PENDING, i);
        send_it();
    }
}
static void act_cancels(void) {
    for (uint64_t i = 0; i < MANY; i++) {
        begin(CANCEL, i);
        byte(0);
        text("");
        send_it();
    }
}
static void act_withdraws(void) {
    for (uint64_t i = 0; i < MANY; i++) {
        begin(WITHDRAW, i);
        send_it();
    }
}
static void act_violates(void) {
    for (int i = 0; i < MANY; i++) {
        begin(VIOLATION, run);
        text("");
        text("once more");
        byte(0);
        send_it();
    }
}
static void act_titles(void) {
    for (int i = 0; i < MANY; i++) {
        begin(TITLES, run);
        text("\033[2J<b>\342\200\256");
        text("\r\n");
        send_it();
    }
}
static void act_empty(void) {
    for (int i = 0; i < MANY; i++) {
        begin(PRINTED, run);
        byte(1);
        text("");
        send_it();
    }
}

/* Reports more skipped bytes than can be counted, again and again. */
static void act_skips(void) {
    for (int i = 0; i < 100; i++) {
        begin(SKIPPED, run);
        number(UINT64_MAX);
        send_it();
    }
}
static void act_holds(void) {
    for (uint64_t i = 0; i < MANY; i++) {
        begin(HELD, i % 2 ? run : i);
        send_it();
    }
}

/* Nothing from the host arrives any more. */
static void act_filter(void) {
    const struct {
        uint16_t code;
        uint8_t yes, no;
        uint32_t value;
    } refuse = {6, 0, 0, 0};
    const struct {
        uint16_t count;
        const void *steps;
    } program = {1, &refuse};
    setsockopt(TO_HOST, SOL_SOCKET, 26 /* SO_ATTACH_FILTER */, &program, sizeof program);
}
static void act_narrow(void) {
    const int room = 1;
    setsockopt(TO_HOST, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(TO_HOST, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}
static void act_urgent(void) { send(TO_HOST, "x", 1, MSG_OOB | MSG_NOSIGNAL); }
static void act_renamed(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    bind(TO_HOST, (struct sockaddr *)&address, sizeof address.sun_family);
    listen(TO_HOST, 1);
    connect(TO_HOST, (struct sockaddr *)&address, sizeof address.sun_family);
}
static void act_mute(void) {
    shutdown(TO_HOST, SHUT_WR);
    pause();
}

#define ACT(name) {#name, act_##name}
static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    ACT(advance), ACT(times), ACT(foreign), ACT(neighbour), ACT(completes), ACT(last), ACT(hello), ACT(failed),
    ACT(encoding), ACT(nul), ACT(short), ACT(surplus), ACT(unknown), ACT(long), ACT(level), ACT(length), ACT(sametwice),
    ACT(unbegun), ACT(toomany), ACT(late), ACT(wildcard), ACT(register), ACT(asks), ACT(cancels), ACT(withdraws),
    ACT(violates), ACT(titles), ACT(empty), ACT(skips), ACT(holds), ACT(filter), ACT(narrow), ACT(urgent), ACT(renamed), ACT(mute),
};

static void *act(void *task) {
    run = (uint64_t)(uintptr_t)task;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        char name[32];
        if (the_host->setting(the_host, 0, "/act", name, sizeof name) > 0 && strcmp(name, acts[i].name) == 0)
            acts[i].act();
    }
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void launch(const lull_launch *launch) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, act, (void *)(uintptr_t)launch->task) == 0) pthread_detach(thread);
}

FIXTURE(register_all, launch);
