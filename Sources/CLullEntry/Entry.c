#include "lull_entry.h"

#include <stdatomic.h>

/*
 * The entry of a plugin written in Swift. Swift can't export a const struct, so it stands here, and
 * calls the `main` that `@main` makes of the author's app.
 *
 * The reference to `main` is hidden: the linker then binds it to the author's own and takes it from
 * the plugin's exported names, so that neither side can meet the `main` of the worker.
 */
extern int author_main(int argc, char **argv) __asm__("main") __attribute__((visibility("hidden")));

static _Atomic(const lull_host *) current_host;

/* Not on the stack: `run` gives up the main thread, and its stack with it. */
static char worker_name[] = "lull-worker";
static char *arguments[] = {worker_name, NULL};

const lull_host *lull_entry_host(void) {
    return atomic_load(&current_host);
}

static int32_t start(const lull_host *host) {
    atomic_store(&current_host, host);
    int status = author_main(1, arguments);
    lull_swift_did_start();
    return status;
}

LULL_EXPORT const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "swift 0.1.0",
    .start = start,
    .launch = lull_swift_launch,
    .run = lull_swift_run,
};
