/*
 * A plugin whose tasks do what their names say: the last label of the identifier picks the behaviour.
 *
 *   succeed, fail    complete at once
 *   wait             runs until it is expired, then completes
 *   stubborn         ignores its expiration
 *   crash            dereferences null
 *   leave            calls exit(3)
 *   talk             prints to both streams and completes
 *   again            submits itself anew, then completes
 */
#include "lull_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lull_host *the_host;

static const char *last_label(const char *identifier) {
    const char *dot = strrchr(identifier, '.');
    return dot ? dot + 1 : identifier;
}

static void expired(void *context, lull_task task) {
    (void)context;
    the_host->log_task(the_host, task, LULL_INFO, "told to end");
    the_host->set_task_completed(the_host, task, false);
}

static void ignored(void *context, lull_task task) {
    (void)context;
    (void)task;
}

static int32_t start(const lull_host *host) {
    the_host = host;
    char name[256], pointer[64];
    for (int i = 0;; i++) {
        snprintf(pointer, sizeof pointer, "/lull/permitted/%d", i);
        if (host->setting(host, 0, pointer, name, sizeof name) < 0) break;
        host->register_task(host, name);
    }
    return 0;
}

static void launch(const lull_launch *launch) {
    const char *what = last_label(launch->identifier);
    if (!strcmp(what, "wait")) {
        the_host->log_task(the_host, launch->task, LULL_INFO, "waiting");
        the_host->set_expiration_handler(the_host, launch->task, NULL, expired);
        return;
    }
    if (!strcmp(what, "stubborn")) {
        the_host->log_task(the_host, launch->task, LULL_INFO, "not listening");
        the_host->set_expiration_handler(the_host, launch->task, NULL, ignored);
        return;
    }
    if (!strcmp(what, "crash")) {
        volatile int *nowhere = NULL;
        *nowhere = 1;
    }
    if (!strcmp(what, "leave")) exit(3);
    if (!strcmp(what, "talk")) {
        printf("a word on standard output\n");
        fflush(stdout);
        fprintf(stderr, "a word on standard error\n");
    }
    if (!strcmp(what, "again")) {
        lull_request request = {.size = sizeof request, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier};
        request.earliest_begin_unix_ns = INT64_C(4102444800) * 1000000000;
        the_host->submit(the_host, &request);
    }
    the_host->log_task(the_host, launch->task, LULL_INFO, "did what it was asked");
    the_host->set_task_completed(the_host, launch->task, strcmp(what, "fail") != 0);
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
