#include "lull_entry.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/*
 * The entry of a plugin written in Swift. Swift can't export a const struct, so it stands here, and
 * calls the `main` that `@main` makes of the author's app.
 *
 * The reference to `main` is hidden: the linker then binds it to the author's own and takes it from
 * the plugin's exported names, so that neither side can meet the `main` of the worker.
 */
extern int author_main(int argc, char **argv) __asm__("main") __attribute__((visibility("hidden")));

static _Atomic(const lull_host *) current_host;

/* Not on the stack: an author's `main` may keep them. */
static char worker_name[] = "lull-worker";
static char *arguments[] = {worker_name, NULL};

const lull_host *lull_entry_host(void) {
    return atomic_load(&current_host);
}

/*
 * Foundation looks up its main bundle by the path of the executable, which it reads from /proc once and keeps. It exports
 * where it keeps that, also where it is linked into the plugin; without Foundation there is nothing to tell.
 */
extern const char **_CFGetProcessPath(void) __attribute__((weak));
extern const char **_CFGetProgname(void) __attribute__((weak));

void lull_entry_set_executable(const char *path, const char *name) {
    if (_CFGetProcessPath) *_CFGetProcessPath() = path;
    if (_CFGetProgname) *_CFGetProgname() = name;
}

extern void CFPreferencesFlushCaches(void) __attribute__((weak));

void lull_entry_save_defaults(void) {
    if (CFPreferencesFlushCaches) CFPreferencesFlushCaches();
}

/* Found by the mapping that holds this function: the name under which the library was loaded may be that of a descriptor. */
void lull_entry_library(char *path, size_t capacity) {
    path[0] = '\0';
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return;
    uintptr_t here = (uintptr_t)&lull_entry_library, begin, end;
    char line[4500];
    while (fgets(line, sizeof line, maps)) {
        int name = 0;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &begin, &end, &name) != 2) continue;
        if (here < begin || here >= end || line[name] != '/') continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, capacity, "%s", line + name);
        break;
    }
    fclose(maps);
}

void lull_entry_note_settings(const void *schema) {
    (void)schema;
}

static int32_t start(const lull_host *host) {
    atomic_store(&current_host, host);
    lull_swift_will_start();
    int status = author_main(1, arguments);
    lull_swift_did_start();
    return status;
}

LULL_EXPORT const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "swift 0.2.0",
    .start = start,
    .launch = lull_swift_launch,
    .run = lull_swift_run,
};
