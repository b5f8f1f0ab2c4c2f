/* Each run computes until it is stopped, with more memory than it needs. */
#include "run.h"

#include <string.h>
#include <time.h>

static char pieces[300 << 20];

static int64_t processor_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *compute(void *context) {
    struct run *run = context;
    if (!pieces[0]) memset(pieces, 1, sizeof pieces);
    while (processor_ms() < 600 && !atomic_load(&run->has_expired)) {}
    the_host->set_task_completed(the_host, run->task, !atomic_load(&run->has_expired));
    return NULL;
}

static void launch(const lull_launch *launch) {
    struct run *run = new_run(launch);
    the_host->set_expiration_handler(the_host, run->task, run, run_expired);
    begin(run, compute);
}

FIXTURE(register_all, launch);
