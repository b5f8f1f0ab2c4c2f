/* The kernel's event interfaces, which Swift's Glibc module leaves out. */
#ifndef LULL_LOOP_SHIMS_H
#define LULL_LOOP_SHIMS_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Enumerators and macros of these headers as plain integers: Swift imports some as enumerations, some not at all. */
enum lull_loop_flags {
    LULL_EPOLL_CLOEXEC = EPOLL_CLOEXEC,
    LULL_EVENTFD_FLAGS = EFD_CLOEXEC | EFD_NONBLOCK,
    LULL_TIMERFD_FLAGS = TFD_CLOEXEC | TFD_NONBLOCK,
    LULL_TIMER_ABSTIME = TFD_TIMER_ABSTIME,
    LULL_TIMER_ABSTIME_CANCEL_ON_SET = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
    LULL_SIGNALFD_FLAGS = SFD_CLOEXEC | SFD_NONBLOCK,
    LULL_IN = EPOLLIN,
    LULL_OUT = EPOLLOUT,
    LULL_PRI = EPOLLPRI,
    LULL_GONE = EPOLLHUP | EPOLLERR | EPOLLRDHUP,
};

/* Whether the kernel says that its clock is synchronised; it says no after the clock was set. */
int lull_clock_is_synchronised(void);

#endif
