/* A thread of it polls for work that no longer comes. */
#include "run.h"

static atomic_bool spins;

static void *spin(void *context) {
    (void)context;
    for (;;) atomic_load(&spins);
}

static void launch(const lull_launch *launch) {
    if (!atomic_exchange(&spins, true)) begin(new_run(launch), spin);
    complete(launch);
}

FIXTURE(register_all, launch);
