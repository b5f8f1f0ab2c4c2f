/* The broker: a thread of the supervisor that changes modes, owners, times and attributes of files for an app, and tells its own
   threads from other processes. */
#ifndef LULL_BROKER_SHIMS_H
#define LULL_BROKER_SHIMS_H

#include <stdint.h>

/* Landlock does not know these calls, so the worker's filter asks (SECCOMP_RET_USER_NOTIF). The broker never lets a call about a file go on,
   for another thread could change its arguments after the look: it opens the file itself, looks where that lies, and acts on
   what it has opened, with the rights of the app's user. */

/* The broker's processor time counts as the app's, and is limited even where the app has no limit: half a core on average,
   after a burst of one second. A thread that makes one call after another is not kept waiting: between two it works as long itself. */
enum { LULL_BROKER_SHARE = 2, LULL_BROKER_BURST = 1000000000 };

/* In nanoseconds: when it last looked, what it had used by then, and what it has used beyond its share. */
struct lull_broker_pace {
    int64_t at, used, debt;
};

/* For how many nanoseconds the broker rests before it answers again. */
int64_t lull_broker_pause(struct lull_broker_pace *pace, int64_t now, int64_t used);

/* Before the supervisor forks its worker: makes the socket between the two. 0, or an errno. */
int lull_broker_open(void);

/* In the supervisor: a thread that waits for the worker's filter, and then answers until no process is left to ask. */
void lull_broker_serve(void);

/* In the worker, which runs as the app's user by now: hands over its filter's listener and where files may be changed; a
   path that ends with `/` means only what lies below it. The first is the app's own folder, whose owner can't be changed. Closes
   the listener. 0, or an errno. */
int lull_broker_hand_over(int listener, const char *const *places, int count);

/* In the worker: closes the socket to the broker, which answers from here on, or ends if it was handed nothing. */
void lull_broker_leave(void);

#endif
