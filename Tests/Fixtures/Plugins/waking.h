/* Timers send SIGCONT, so that the process goes on however often it is stopped. */
#ifndef WAKING_H
#define WAKING_H

#include <signal.h>
#include <time.h>

enum { WAKES = 18 };

static timer_t wakes[WAKES];
static int wake_count;

/* Sets the timers to times from 5 ms to 11 minutes from now. */
static void wake_again(int signal) {
    (void)signal;
    for (int i = 0; i < wake_count; i++) {
        long long nanoseconds = 5000000LL << i;
        struct itimerspec times = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
        timer_settime(wakes[i], 0, &times, NULL);
    }
}

/* A stop discards a pending SIGCONT, and the kernel restarts a repeating timer only when its signal is delivered: a single timer may end with
   the stop. With these, the next one comes. */
static void wake_by_timers(void) {
    struct sigaction action = {.sa_handler = wake_again};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    while (wake_count < WAKES && timer_create(CLOCK_MONOTONIC, &event, &wakes[wake_count]) == 0) wake_count++;
    sigaction(SIGCONT, &action, NULL);
    wake_again(SIGCONT);
}

#endif
