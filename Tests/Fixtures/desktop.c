/*
 * A desktop for tests: org.freedesktop.Notifications on the session's bus. It writes each notification, field by field, to the
 * file that is named, and prints `ready` once it serves. With `plain` it reads no markup. libsystemd is loaded without
 * its headers, as Lull does it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int (*open_user)(void **);
static int (*request_name)(void *, const char *, uint64_t);
static int (*add_filter)(void *, void **, int (*)(void *, void *, void *), void *);
static int (*process)(void *, void **);
static int (*wait_for)(void *, uint64_t);
static int (*message_read)(void *, const char *, ...);
static int (*message_skip)(void *, const char *);
static int (*reply_return)(void *, const char *, ...);
static const char *(*member_of)(void *);

static const char *path;
static int is_plain;

static void say(const char *line) {
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    if (write(file, line, strlen(line)) < 0) perror(path);
    close(file);
}

static int take(void *message, void *context, void *error) {
    (void)context;
    (void)error;
    const char *member = member_of(message);
    if (!member) return 0;
    if (strcmp(member, "GetCapabilities") == 0) {
        if (is_plain) return reply_return(message, "as", 1, "body");
        return reply_return(message, "as", 2, "body", "body-markup");
    }
    if (strcmp(member, "Notify") != 0) return 0;
    const char *app, *icon, *summary, *body, *key;
    uint32_t replaced;
    uint8_t urgency;
    if (message_read(message, "susss", &app, &replaced, &icon, &summary, &body) < 0) return -1;
    if (message_skip(message, "as") < 0) return -1;
    if (message_read(message, "a{sv}", 2, &key, "y", &urgency, &key, "s", &icon) < 0) return -1;
    char line[8192];
    snprintf(line, sizeof line, "app=%s\nsummary=%s\nbody=%s\nurgency=%d\n", app, summary, body, urgency);
    say(line);
    return reply_return(message, "u", (uint32_t)1);
}

int main(int count, char **words) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW);
    if (count < 2 || !library) return 1;
    path = words[1];
    is_plain = count > 2 && strcmp(words[2], "plain") == 0;
    open_user = dlsym(library, "sd_bus_open_user");
    request_name = dlsym(library, "sd_bus_request_name");
    add_filter = dlsym(library, "sd_bus_add_filter");
    process = dlsym(library, "sd_bus_process");
    wait_for = dlsym(library, "sd_bus_wait");
    message_read = dlsym(library, "sd_bus_message_read");
    message_skip = dlsym(library, "sd_bus_message_skip");
    reply_return = dlsym(library, "sd_bus_reply_method_return");
    member_of = dlsym(library, "sd_bus_message_get_member");
    void *bus = NULL;
    if (open_user(&bus) < 0 || add_filter(bus, NULL, take, NULL) < 0 ||
        request_name(bus, "org.freedesktop.Notifications", 0) < 0)
        return 2;
    fputs("ready\n", stdout);
    fflush(stdout);
    for (;;) {
        int result = process(bus, NULL);
        if (result < 0 || (result == 0 && wait_for(bus, UINT64_MAX) < 0)) return 0;
    }
}
