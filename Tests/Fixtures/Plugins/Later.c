/*
 * Built against a header that this Lull does not know, 1.9, with one more field in each struct; and against the
 * frozen header of 1.0, where NEWER is not defined. It checks for newer fields before it uses them.
 */
#include "fixture.h"

static void launch(const lull_launch *launch) {
    lull_request request;
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    request.kind = LULL_KIND_PROCESSING;
    request.identifier = launch->identifier;
#ifdef NEWER
    request.later = 9;
    the_host->log(the_host, LULL_INFO, LULL_HAS(lull_host, the_host, later) ? "host 1.9" : "an older host");
    the_host->log(the_host, LULL_INFO, LULL_HAS(lull_launch, launch, later) ? "launch 1.9" : "an older launch");
#endif
    the_host->log(the_host, LULL_INFO, the_host->submit(the_host, &request) == LULL_OK ? "accepted" : "refused");
    complete(launch);
}

#ifdef NEWER
static void later(void) {}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = register_all,
    .launch = launch,
    .later = later,
};
#else
FIXTURE(register_all, launch);
#endif
