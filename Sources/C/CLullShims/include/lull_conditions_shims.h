/* What sensing needs of C: netlink, and libsystemd where it is there. */
#ifndef LULL_CONDITIONS_SHIMS_H
#define LULL_CONDITIONS_SHIMS_H

#include <stdint.h>
#include <sys/inotify.h>

enum lull_netlink_source {
    /* The kernel's device events: power supplies. */
    LULL_NETLINK_UEVENTS,
    /* Links and routes. */
    LULL_NETLINK_ROUTES,
};

/* A non-blocking socket that receives the kernel's announcements, or a negated errno. */
int lull_netlink_open(enum lull_netlink_source source);

/* One announcement: its length, 0 when none waits, or a negated errno. A message that is not from the kernel has
   length 1 and no content. ENOBUFS means that announcements were lost. */
long lull_netlink_receive(int descriptor, void *buffer, unsigned long size);

/* 1 if the folder is on a mount of sysfs or procfs. */
int lull_is_kernels_own(const char *path);

/* A connection to the system bus through libsystemd, which is loaded when first asked for. */
typedef struct lull_bus lull_bus;

/* NULL where there is no libsystemd or no bus. A call that is not answered fails after `timeout_ms`. */
lull_bus *lull_bus_open(uint64_t timeout_ms);
void lull_bus_close(lull_bus *bus);
int lull_bus_descriptor(lull_bus *bus);
/* Listens to `PropertiesChanged` of one object; negated errno. `name` is any number the caller knows it by, below 32. */
int lull_bus_listen(lull_bus *bus, const char *sender, const char *path, unsigned name);
/* Handles what has come: a set of bits, one for each name that changed; negated errno when the bus is gone. */
int lull_bus_process(lull_bus *bus, uint32_t *changed);
/* One property of type `b`, `u` or `t`; negated errno. */
int lull_bus_property(
    lull_bus *bus, const char *sender, const char *path, const char *interface, const char *property, char type,
    uint64_t *value);

#endif
