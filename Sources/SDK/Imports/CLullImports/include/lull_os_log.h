/* Nothing in C: all of `os` is the Swift module of that name. */
#ifndef LULL_OS_LOG_H
#define LULL_OS_LOG_H
#endif
