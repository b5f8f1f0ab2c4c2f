/* Notifications on the desktop of a session, through libsystemd's sd-bus, loaded where it is there. */
#ifndef LULL_DESKTOP_SHIMS_H
#define LULL_DESKTOP_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/* Calls org.freedesktop.Notifications on the session's bus, and waits for its answer `timeout_ms` at most. 0, or a
   negative errno; -ENOSYS: there is no libsystemd. The bus's error message is copied into `reason`; empty: there
   is none. */
int lull_desktop_notify(
    const char *app, const char *summary, const char *body, uint8_t urgency, uint64_t timeout_ms, char *reason,
    size_t capacity);

#endif
