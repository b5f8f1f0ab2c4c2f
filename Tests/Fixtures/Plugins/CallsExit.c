/* A plugin that ends its process. */
#include "fixture.h"

#include <stdlib.h>

static void launch(const lull_launch *launch) {
    (void)launch;
    exit(3);
}

FIXTURE(register_all, launch);
