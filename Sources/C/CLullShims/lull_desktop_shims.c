#include "lull_desktop_shims.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As libsystemd has it: the one type of its own that does not stay opaque. */
struct bus_error {
    const char *name;
    const char *message;
    int need_free;
};

static struct {
    int (*open_user)(void **bus);
    void *(*flush_close_unref)(void *bus);
    int (*set_method_call_timeout)(void *bus, uint64_t microseconds);
    int (*call_method)(
        void *bus, const char *destination, const char *path, const char *interface, const char *member,
        struct bus_error *error, void **reply, const char *types, ...);
    int (*message_read_strv)(void *message, char ***list);
    void *(*message_unref)(void *message);
    void (*error_free)(struct bus_error *error);
} api;

static int load_api(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    api.open_user = dlsym(library, "sd_bus_open_user");
    api.flush_close_unref = dlsym(library, "sd_bus_flush_close_unref");
    api.set_method_call_timeout = dlsym(library, "sd_bus_set_method_call_timeout");
    api.call_method = dlsym(library, "sd_bus_call_method");
    api.message_read_strv = dlsym(library, "sd_bus_message_read_strv");
    api.message_unref = dlsym(library, "sd_bus_message_unref");
    api.error_free = dlsym(library, "sd_bus_error_free");
    return api.open_user && api.flush_close_unref && api.set_method_call_timeout && api.call_method &&
                   api.message_read_strv && api.message_unref && api.error_free
               ? 0
               : -1;
}

static const char *const service = "org.freedesktop.Notifications";
static const char *const object = "/org/freedesktop/Notifications";

/* Whether the desktop reads a body as markup: then markup characters have to be escaped, and else must not be. */
static int reads_markup(void *bus, struct bus_error *error) {
    void *reply = NULL;
    int result = api.call_method(bus, service, object, service, "GetCapabilities", error, &reply, "");
    if (result < 0) return result;
    char **list = NULL;
    int markup = 0;
    if (api.message_read_strv(reply, &list) >= 0) {
        for (char **each = list; each && *each; each++) {
            if (strcmp(*each, "body-markup") == 0) markup = 1;
            free(*each);
        }
        free(list);
    }
    api.message_unref(reply);
    return markup;
}

static char *escaped(const char *text) {
    char *out = malloc(strlen(text) * 5 + 1);
    if (!out) return NULL;
    char *end = out;
    for (; *text; text++) {
        const char *entity = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
        if (entity)
            end = stpcpy(end, entity);
        else
            *end++ = *text;
    }
    *end = 0;
    return out;
}

int lull_desktop_notify(
    const char *app, const char *summary, const char *body, uint8_t urgency, uint64_t timeout_ms, char *reason,
    size_t capacity) {
    if (capacity) *reason = 0;
    if (load_api() < 0) return -ENOSYS;
    void *bus = NULL;
    int result = api.open_user(&bus);
    if (result < 0) return result;
    api.set_method_call_timeout(bus, timeout_ms * 1000);
    struct bus_error error = {0};
    result = reads_markup(bus, &error);
    if (result >= 0) {
        char *text = result ? escaped(body) : strdup(body);
        /* The app's name, no notification to replace, no icon, the texts, no actions, the urgency and the app, and the
           usual time on the screen. */
        result = text ? api.call_method(
                            bus, service, object, service, "Notify", &error, NULL, "susssasa{sv}i", app, (uint32_t)0,
                            "", summary, text, 0, 2, "urgency", "y", (int)urgency, "x-lull-app", "s", app, (int32_t)-1)
                      : -ENOMEM;
        free(text);
    }
    if (result < 0 && error.message && capacity) snprintf(reason, capacity, "%s", error.message);
    api.error_free(&error);
    api.flush_close_unref(bus);
    return result < 0 ? result : 0;
}
