/* The broker: a thread of the keeper that changes modes, owners, times and attributes of files for an app, and tells its own
   threads from other processes. */
#ifndef LULL_BROKER_SHIMS_H
#define LULL_BROKER_SHIMS_H

/* Landlock does not know these calls, so the worker's filter asks (SECCOMP_RET_USER_NOTIF). The broker never lets a call about a file go on,
   for another thread could change its arguments after the look: it opens the file itself, looks where that lies, and acts on
   what it has opened, with the rights of the app's user. */

/* Before the keeper forks its worker: makes the way between the two. 0, or an errno. */
int lull_broker_open(void);

/* In the keeper: a thread that waits for the worker's filter, and then answers until nobody is left to ask. */
void lull_broker_serve(void);

/* In the worker, which is by now whom the app runs as: hands over its filter's listener and where files may be changed; a path
   that ends with `/` is only what lies below. The first is the app's own folder, which stays its owner's. Closes the listener. 0, or an errno. */
int lull_broker_hand_over(int listener, const char *const *places, int count);

/* In the worker: gives up the way to the broker, which answers from here on, or ends if it was handed nothing. */
void lull_broker_leave(void);

#endif
