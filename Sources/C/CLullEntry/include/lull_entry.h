/*
 * lull_entry.h: what the C and the Swift half of the BackgroundTasks module ask of each other.
 * Not part of the plugin ABI: both halves are compiled into one plugin.
 */
#ifndef LULL_ENTRY_H
#define LULL_ENTRY_H

#include "lull_plugin.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif
/* Keeps a name inside the plugin. */
#define LULL_HIDDEN __attribute__((visibility("hidden")))

/* The worker's table, or null in a process that is no worker. */
LULL_HIDDEN const lull_host *LULL_NULLABLE lull_entry_host(void);

/* The path of this plugin's library; empty when it is not known. A path that is too long for the buffer is cut off. */
LULL_HIDDEN void lull_entry_library(char *path, size_t capacity);

/* Has Foundation take this path for that of the process's executable. It has to live as long as the process. */
LULL_HIDDEN void lull_entry_set_executable(const char *path, const char *name);

/* Writes values of `UserDefaults` that are not on disk yet. */
LULL_HIDDEN void lull_entry_save_defaults(void);

/* Of Swift's runtime: demangles a symbol, to be freed; null when it is none of Swift's. */
char *LULL_NULLABLE swift_demangle(const char *name, size_t length, char *LULL_NULLABLE buffer, size_t *LULL_NULLABLE size, uint32_t flags);

/* Keeps a text in the plugin's file, for tools that read it there. */
LULL_HIDDEN void lull_entry_note_settings(const void *LULL_NULLABLE schema);

/* Written in Swift. */
LULL_HIDDEN void lull_swift_will_start(void);
LULL_HIDDEN void lull_swift_did_start(void);
LULL_HIDDEN void lull_swift_launch(const lull_launch *launch);
LULL_HIDDEN void lull_swift_run(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
