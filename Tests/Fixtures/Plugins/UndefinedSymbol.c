/* A plugin that was linked without a library it needs. */
#include "fixture.h"

void nobody_defines_this(void);

static void launch(const lull_launch *launch) {
    nobody_defines_this();
    complete(launch);
}

FIXTURE(register_all, launch);
