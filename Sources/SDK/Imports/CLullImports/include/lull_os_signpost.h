/* Nothing in C: all of `os` is the Swift module of that name. */
#ifndef LULL_OS_SIGNPOST_H
#define LULL_OS_SIGNPOST_H
#endif
