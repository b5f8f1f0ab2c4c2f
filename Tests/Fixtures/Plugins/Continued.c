/*
 * A plugin for continued tasks, which people start and watch, and for activities, which keep an app awake:
 *
 *   begin     begins the activity "save" with a handler that ends it, and completes
 *   leak      begins the activities "save" and "send", which nobody ends, and completes
 *   half      begins "save" with a handler that ends it, and "send", which nobody ends, and completes
 *   hold      does not complete
 *   short     begins and ends an activity, and completes
 *   many      begins an activity more than an app may have, ends them all, and completes
 *   odd       ends activities that do not exist, and completes
 *   titles    logs the titles of its launch, changes them and waits
 *   submit    submits continued requests, logs the answers and the pending requests
 *   late      registers org.example.good.export.late, once and again, and .plain_export, and completes
 *   power     logs the power mode now and at each change
 *   time      logs whether its time counts, and completes
 *   drop      reports that it let go of its task, and completes
 *   twice     reports a second handler, and never returns from the report
 */
#include "fixture.h"

#include <inttypes.h>

static uint64_t saving;

static void say(lull_task task, const char *line) { the_host->log_task(the_host, task, LULL_INFO, line); }

static void end_saving(void *context, uint64_t activity) {
    the_host->log(the_host, LULL_INFO, context);
    if (activity != saving) return;
    char line[64];
    snprintf(line, sizeof line, "the time counts: %d, another begins: %d",
             the_host->background_time_remaining(the_host) != INT64_MAX,
             the_host->begin_activity(the_host, "more", NULL, NULL) != 0);
    the_host->log(the_host, LULL_INFO, line);
    the_host->end_activity(the_host, activity);
}

static void power_changed(void *context, bool is_low) {
    (void)context;
    the_host->log(the_host, LULL_INFO, is_low ? "power is low now" : "power is back");
}

static void visit(void *context, const lull_request *request) {
    char line[256];
    snprintf(line, sizeof line, "pending %s: %s, %s", request->identifier, request->title ? request->title : "-",
             request->subtitle ? request->subtitle : "-");
    say(*(lull_task *)context, line);
}

static void submit(const lull_launch *launch) {
    lull_request request = {.size = sizeof request, .kind = LULL_KIND_CONTINUED, .identifier = "org.example.good.export.7"};
    request.title = "Export";
    request.strategy = LULL_STRATEGY_FAIL;
    char reason[256], line[320];
    lull_status status = the_host->submit_explained(the_host, &request, reason, sizeof reason);
    snprintf(line, sizeof line, "status %d, %s", (int)status, reason);
    say(launch->task, line);
    request.resources = 1u << 31;
    status = the_host->submit_explained(the_host, &request, reason, sizeof reason);
    snprintf(line, sizeof line, "status %d, %s", (int)status, reason);
    say(launch->task, line);
    lull_request health = {.size = sizeof health, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier};
    health.protection = "NSFileProtectionComplete";
    health.title = "no title of a processing request is kept";
    the_host->submit(the_host, &health);
    lull_request old = {.size = 32, .kind = LULL_KIND_PROCESSING, .identifier = launch->identifier};
    old.protection = "what lies behind the size is not read";
    the_host->submit(the_host, &old);
    lull_task task = launch->task;
    the_host->pending(the_host, &task, visit);
}

static int32_t start(const lull_host *host) {
    char name[256];
    the_host = host;
    for (int i = 0;; i++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/lull/permitted/%d", i);
        if (host->setting(host, 0, pointer, name, sizeof name) < 0) break;
        if (!strstr(name, "export")) host->register_task(host, name);
    }
    host->register_task(host, "org.example.good.export.known");
    if (host->setting(host, 0, "/twice", name, sizeof name) > 0)
        host->report_fault(host, LULL_FAULT_REGISTERED_TWICE, 0, "org.example.good.begin", "Feed.c:9", "Feed.c:4");
    return 0;
}

static void launch(const lull_launch *launch) {
    char line[320];
    if (is_task(launch, "hold")) return;
    if (is_task(launch, "half")) the_host->begin_activity(the_host, "send", NULL, NULL);
    if (is_task(launch, "begin") || is_task(launch, "half"))
        saving = the_host->begin_activity(the_host, "save", "save: time is up", end_saving);
    if (is_task(launch, "leak")) {
        the_host->begin_activity(the_host, "save", NULL, NULL);
        the_host->begin_activity(the_host, "send", "send: time is up", end_saving);
    }
    if (is_task(launch, "short"))
        the_host->end_activity(the_host, the_host->begin_activity(the_host, "save", NULL, NULL));
    if (is_task(launch, "many")) {
        uint64_t given[1001];
        int begun = 0;
        for (int i = 0; i < 1001; i++) begun += (given[i] = the_host->begin_activity(the_host, "save", NULL, NULL)) != 0;
        snprintf(line, sizeof line, "begun %d of 1001", begun);
        say(launch->task, line);
        for (int i = 0; i < 1001; i++) the_host->end_activity(the_host, given[i]);
    }
    if (is_task(launch, "odd")) {
        the_host->end_activity(the_host, 0);
        the_host->end_activity(the_host, 77);
    }
    if (is_task(launch, "known") || is_task(launch, "titles")) {
        snprintf(line, sizeof line, "%s %" PRIu32 ": %s, %s, %s", launch->identifier, launch->kind,
                 launch->title ? launch->title : "-", launch->subtitle ? launch->subtitle : "-",
                 launch->protection ? launch->protection : "-");
        say(launch->task, line);
        the_host->update_titles(the_host, launch->task, "Export", "page 1");
        the_host->progress(the_host, launch->task, 1, 9, NULL);
    }
    if (is_task(launch, "submit")) submit(launch);
    if (is_task(launch, "late")) {
        bool first = the_host->register_task(the_host, "org.example.good.export.late");
        bool again = the_host->register_task(the_host, "org.example.good.export.late");
        bool other = the_host->register_task(the_host, "org.example.good.now");
        bool plain = the_host->register_task(the_host, "org.example.good.plain_export");
        snprintf(line, sizeof line, "%d %d %d %d", first, again, other, plain);
        say(launch->task, line);
    }
    if (is_task(launch, "power")) {
        the_host->set_low_power_handler(the_host, NULL, power_changed);
        say(launch->task, the_host->is_low_power_mode(the_host) ? "power is low" : "power is fine");
    }
    if (is_task(launch, "time"))
        say(launch->task, the_host->background_time_remaining(the_host) == INT64_MAX ? "it does not count" : "it counts");
    if (is_task(launch, "drop"))
        the_host->report_fault(the_host, LULL_FAULT_TASK_DROPPED, launch->task, launch->identifier, NULL, "Feed.c:4");
    if (is_task(launch, "twice"))
        the_host->report_fault(the_host, LULL_FAULT_NOT_REGISTERED, 0, "org.example.good.now", "Feed.c:12", NULL);
    complete(launch);
}

FIXTURE(start, launch);
