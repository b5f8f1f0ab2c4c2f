#define _GNU_SOURCE
#include "lull_conditions_shims.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

int lull_netlink_open(enum lull_netlink_source source) {
    int protocol = source == LULL_NETLINK_UEVENTS ? NETLINK_KOBJECT_UEVENT : NETLINK_ROUTE;
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    /* Group 1 of the uevents is the kernel itself; group 2 would be udev. */
    address.nl_groups =
        source == LULL_NETLINK_UEVENTS ? 1 : RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

long lull_netlink_receive(int descriptor, void *buffer, unsigned long size) {
    struct sockaddr_nl sender = {0};
    socklen_t length = sizeof sender;
    ssize_t count;
    do {
        count = recvfrom(descriptor, buffer, size, 0, (struct sockaddr *)&sender, &length);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
    if (sender.nl_pid == 0 && count > 0) return count;
    if (size > 0) *(char *)buffer = 0;
    return 1;
}

int lull_is_kernels_own(const char *path) {
    struct statfs status;
    if (statfs(path, &status) < 0) return 0;
    return status.f_type == SYSFS_MAGIC || status.f_type == PROC_SUPER_MAGIC;
}

/* libsystemd's own types stay opaque: only pointers to them pass through here. */
typedef int (*bus_handler)(void *message, void *context, void *error);

static struct {
    int (*open_system)(void **bus);
    void *(*flush_close_unref)(void *bus);
    int (*get_fd)(void *bus);
    int (*process)(void *bus, void **message);
    int (*match_signal)(
        void *bus, void **slot, const char *sender, const char *path, const char *interface, const char *member,
        bus_handler handler, void *context);
    int (*get_property_trivial)(
        void *bus, const char *sender, const char *path, const char *interface, const char *member, void *error,
        char type, void *value);
    int (*set_method_call_timeout)(void *bus, uint64_t microseconds);
    int (*flush)(void *bus);
} api;

static int load_api(void) {
    static int state; /* 0: not tried, 1: there, -1: not there. Sensing happens on the loop's thread alone. */
    if (state) return state;
    state = -1;
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return state;
    api.open_system = dlsym(library, "sd_bus_open_system");
    api.flush_close_unref = dlsym(library, "sd_bus_flush_close_unref");
    api.get_fd = dlsym(library, "sd_bus_get_fd");
    api.process = dlsym(library, "sd_bus_process");
    api.match_signal = dlsym(library, "sd_bus_match_signal");
    api.get_property_trivial = dlsym(library, "sd_bus_get_property_trivial");
    api.set_method_call_timeout = dlsym(library, "sd_bus_set_method_call_timeout");
    api.flush = dlsym(library, "sd_bus_flush");
    /* Since systemd 240; an older library lacks the time limit of calls and is not used. */
    if (api.open_system && api.flush_close_unref && api.get_fd && api.process && api.match_signal &&
        api.get_property_trivial && api.set_method_call_timeout && api.flush)
        state = 1;
    else
        dlclose(library);
    return state;
}

struct listener {
    lull_bus *bus;
    uint32_t bit;
};

struct lull_bus {
    void *bus;
    uint32_t changed;
    struct listener listeners[32];
};

static int note_change(void *message, void *context, void *error) {
    (void)message;
    (void)error;
    struct listener *listener = context;
    listener->bus->changed |= listener->bit;
    return 0;
}

lull_bus *lull_bus_open(uint64_t timeout_ms) {
    if (load_api() < 0) return NULL;
    lull_bus *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    if (api.open_system(&self->bus) < 0) {
        free(self);
        return NULL;
    }
    api.set_method_call_timeout(self->bus, timeout_ms * 1000);
    return self;
}

void lull_bus_close(lull_bus *self) {
    if (!self) return;
    api.flush_close_unref(self->bus);
    free(self);
}

int lull_bus_descriptor(lull_bus *self) { return api.get_fd(self->bus); }

int lull_bus_listen(lull_bus *self, const char *sender, const char *path, unsigned name) {
    if (name >= 32) return -EINVAL;
    struct listener *listener = &self->listeners[name];
    listener->bus = self;
    listener->bit = (uint32_t)1 << name;
    return api.match_signal(
        self->bus, NULL, sender, path, "org.freedesktop.DBus.Properties", "PropertiesChanged", note_change, listener);
}

int lull_bus_process(lull_bus *self, uint32_t *changed) {
    int result;
    while ((result = api.process(self->bus, NULL)) > 0) continue;
    if (result >= 0) result = api.flush(self->bus);
    *changed = self->changed;
    self->changed = 0;
    return result < 0 ? result : 0;
}

int lull_bus_property(
    lull_bus *self, const char *sender, const char *path, const char *interface, const char *property, char type,
    uint64_t *value) {
    union {
        int boolean;
        uint32_t word;
        uint64_t longword;
    } read = {0};
    int result = api.get_property_trivial(self->bus, sender, path, interface, property, NULL, type, &read);
    if (result < 0) return result;
    switch (type) {
    case 'b': *value = read.boolean != 0; return 0;
    case 'u': *value = read.word; return 0;
    case 't': *value = read.longword; return 0;
    default: return -EINVAL;
    }
}
