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

/* Written in Swift. */
LULL_HIDDEN void lull_swift_did_start(void);
LULL_HIDDEN void lull_swift_launch(const lull_launch *launch);
LULL_HIDDEN void lull_swift_run(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
