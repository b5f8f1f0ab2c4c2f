/* A plugin that completes its run, and prints more and aborts once the host has received the completion. */
#define _GNU_SOURCE
#include "fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void *last_words(void *nothing) {
    /* This returns once the host has handled all earlier frames. */
    the_host->cancel(the_host, NULL);
    fputs("panic: nobody closed the ledger\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7 +0x1d\n", stderr);
    signal(SIGABRT, SIG_DFL);
    abort();
    return nothing;
}

static void launch(const lull_launch *launch) {
    complete(launch);
    on_thread(last_words, launch->task);
}

FIXTURE(register_all, launch);
