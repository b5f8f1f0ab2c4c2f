/*
 * A plugin that adds notifications:
 *
 *   now       tells at once and completes
 *   later     tells in an hour and each day at 8, lists what waits, and completes
 *   remove    removes the waiting ones, sets the badge, lists the delivered ones, and completes
 *   refused   tells too soon a repeat, and logs the answer
 */
#include "fixture.h"

#include <inttypes.h>

static void say(lull_task task, const char *line) { the_host->log_task(the_host, task, LULL_INFO, line); }

static void tell(lull_task task, const lull_notification *notification) {
    char reason[512], line[640];
    lull_status status = the_host->notify(the_host, notification, reason, sizeof reason);
    snprintf(line, sizeof line, "status %d, %s", (int)status, reason);
    say(task, line);
}

static void visit(void *context, const lull_notification *notification) {
    char line[512];
    snprintf(line, sizeof line, "%s: %s (%s), repeats %d, details %s", notification->identifier,
             notification->title, notification->time_unix_ns > 0 ? "has a time" : "has none",
             (notification->fields & LULL_NOTIFICATION_REPEATS) != 0, notification->details);
    say(*(lull_task *)context, line);
}

static void launch(const lull_launch *launch) {
    lull_task task = launch->task;
    say(task, the_host->may_notify(the_host) ? "it may notify" : "it may not notify");
    lull_notification notification = {.size = sizeof notification, .identifier = "a"};
    notification.title = "The export is ready";
    notification.subtitle = "Feed";
    notification.body = "3 files <here> & there";
    notification.details = "kept";
    if (is_task(launch, "now")) tell(task, &notification);
    if (is_task(launch, "later")) {
        notification.trigger = LULL_TRIGGER_INTERVAL;
        notification.interval_ms = 3600 * 1000;
        tell(task, &notification);
        notification.identifier = "b";
        notification.trigger = LULL_TRIGGER_CALENDAR;
        notification.fields = LULL_NOTIFICATION_HOUR | LULL_NOTIFICATION_REPEATS;
        notification.hour = 8;
        tell(task, &notification);
        the_host->notifications(the_host, false, &task, visit);
    }
    if (is_task(launch, "remove")) {
        const char *names[] = {"a", "nobody's"};
        char reason[256];
        the_host->remove_notifications(the_host, false, names, 2);
        the_host->set_badge(the_host, 7, reason, sizeof reason);
        the_host->notifications(the_host, true, &task, visit);
    }
    if (is_task(launch, "refused")) {
        notification.trigger = LULL_TRIGGER_INTERVAL;
        notification.interval_ms = 1000;
        notification.fields = LULL_NOTIFICATION_REPEATS;
        tell(task, &notification);
    }
    complete(launch);
}

FIXTURE(register_all, launch);
