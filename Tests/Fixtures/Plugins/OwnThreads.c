/* A plugin that schedules its own threads by their IDs, and logs the results. */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int number;
static pthread_barrier_t begun, over;

static void *wait_there(void *nothing) {
    atomic_store(&number, (int)syscall(SYS_gettid));
    pthread_barrier_wait(&begun);
    pthread_barrier_wait(&over);
    return nothing;
}

static int refused(int result) { return result == 0 ? 0 : errno; }

/* Creates a thread as Free Pascal's runtime does. */
static int make_scheduled(pthread_t *thread) {
    pthread_attr_t attributes;
    struct sched_param none = {0};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &none);
    int fault = pthread_create(thread, &attributes, wait_there, NULL);
    pthread_attr_destroy(&attributes);
    return fault;
}

static void launch(const lull_launch *launch) {
    pthread_t thread;
    pthread_barrier_init(&begun, NULL, 2);
    pthread_barrier_init(&over, NULL, 2);
    int made = make_scheduled(&thread), bound = -1, nice_of = -1, own = -1;
    if (made == 0) {
        pthread_barrier_wait(&begun);
        cpu_set_t all;
        sched_getaffinity(0, sizeof all, &all);
        bound = refused(sched_setaffinity(atomic_load(&number), sizeof all, &all));
        nice_of = refused(setpriority(PRIO_PROCESS, (id_t)atomic_load(&number), 19));
        own = refused(sched_setaffinity(getpid(), sizeof all, &all));
        pthread_barrier_wait(&over);
        pthread_join(thread, NULL);
    }
    char line[128];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    int supervisor = refused(sched_setaffinity(getppid(), sizeof one, &one));
    snprintf(line, sizeof line, "made %d, bound %d, nice %d, own %d, another's %d", made, bound, nice_of, own, supervisor);
    the_host->log(the_host, LULL_INFO, line);
    complete(launch);
}

FIXTURE(register_all, launch);
