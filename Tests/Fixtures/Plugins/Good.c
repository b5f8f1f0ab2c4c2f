/*
 * A plugin that behaves, as each label of a task asks it to:
 *
 *   now       completes inside launch
 *   thread    completes on a thread of its own, after launch has returned
 *   wait      waits for its expiration, on no thread at all
 *   settings  logs its settings, the app's settings and the state folder
 *   ask       submits, lists and cancels from inside launch, which is the thread that hears the answers
 *   odd       submits requests that are none
 *   print     prints to both streams, the last line without an end
 *   own       prints to its run alone, and to one that is none
 *   progress  tells how far it is
 */
#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>

static void *run_thread(void *task) {
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

static void expired(void *context, lull_task task) {
    the_host->log_task(the_host, task, LULL_INFO, context);
    the_host->set_task_completed(the_host, task, false);
}

static void say_setting(lull_task of, lull_task task, const char *pointer) {
    char value[64], line[160];
    long length = (long)the_host->setting(the_host, of, pointer, value, sizeof value);
    snprintf(line, sizeof line, "%s=%s (%ld)", pointer, length < 0 ? "" : value, length);
    the_host->log_task(the_host, task, LULL_INFO, line);
}

static void visit(void *context, const lull_request *request) {
    the_host->log(the_host, LULL_INFO, request->identifier);
    ++*(int *)context;
}

static void ask(const lull_launch *launch) {
    lull_request request = {.size = sizeof request, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier};
    request.earliest_begin_unix_ns = INT64_C(1500000001);
    request.requirements = LULL_REQUIRES_NETWORK;
    char reason[128], line[256];
    lull_status status = the_host->submit_explained(the_host, &request, reason, sizeof reason);
    int count = 0;
    the_host->pending(the_host, &count, visit);
    the_host->cancel(the_host, NULL);
    snprintf(line, sizeof line, "status %d, '%s', %d pending", (int)status, reason, count);
    the_host->log_task(the_host, launch->task, LULL_NOTICE, line);
}

static void submit_odd(const lull_launch *launch) {
    lull_request odd[] = {
        {.size = sizeof *odd, .kind = 77, .identifier = launch->identifier},
        {.size = 4, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier},
    };
    for (int i = 0; i < 2; i++) {
        char reason[128], line[160];
        lull_status status = the_host->submit_explained(the_host, &odd[i], reason, sizeof reason);
        snprintf(line, sizeof line, "status %d, %s", (int)status, reason);
        the_host->log_task(the_host, launch->task, LULL_NOTICE, line);
    }
}

static int32_t start(const lull_host *host) {
    register_all(host);
    char again[8];
    if (host->setting(host, 0, "/submit", again, sizeof again) > 0) {
        lull_request request = {.size = sizeof request, .kind = LULL_KIND_REFRESH, .identifier = "org.example.good.now"};
        host->log(host, LULL_INFO, host->submit(host, &request) == LULL_OK ? "accepted" : "refused");
    }
    return 0;
}

static void launch(const lull_launch *launch) {
    if (is_task(launch, "wait")) {
        the_host->set_expiration_handler(the_host, launch->task, "told to end", expired);
        return;
    }
    if (is_task(launch, "thread")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_thread, (void *)(uintptr_t)launch->task) == 0) pthread_detach(thread);
        return;
    }
    if (is_task(launch, "settings")) {
        say_setting(launch->task, launch->task, "/depth");
        say_setting(0, launch->task, "/feed");
        say_setting(0, launch->task, "/nothing");
        the_host->log_task(the_host, launch->task, LULL_INFO, the_host->state_dir);
        the_host->log_task(the_host, launch->task, LULL_INFO, launch->settings);
    }
    if (is_task(launch, "ask")) ask(launch);
    if (is_task(launch, "odd")) submit_odd(launch);
    if (is_task(launch, "print")) {
        printf("out\nno end");
        fprintf(stderr, "err\n");
    }
    if (is_task(launch, "own")) {
        static char much[100000];
        the_host->print_task(the_host, launch->task, LULL_STREAM_OUTPUT, "a\0b", 3);
        the_host->print_task(the_host, launch->task, LULL_STREAM_ERROR, much, sizeof much);
        the_host->print_task(the_host, 99, LULL_STREAM_OUTPUT, "lost", 4);
    }
    if (is_task(launch, "progress")) {
        the_host->progress(the_host, launch->task, 1, 3, "first");
        the_host->progress(the_host, launch->task, 2, 3, "second");
        the_host->progress(the_host, launch->task, 3, 3, "third");
    }
    complete(launch);
}

FIXTURE(start, launch);
