/*
 * A host small enough to see through: loads one plugin and runs tasks 1 to N at once, each with the settings
 * `repositories` of the command line. What the plugin says is printed, a line each, so is each setting that
 * it asks for, and what it has kept with a run; with "old" after the number of tasks the host is one of ABI 1.0, and can't keep that. On
 * standard input it takes "expire TASK". It exits when all tasks are completed.
 *
 *   fake_host PLUGIN TASKS[old] REPOSITORY…
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TASKS_MAX = 16 };

static char **repositories;
static int repository_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open_tasks;
static void (*handlers[TASKS_MAX + 1])(void *, lull_task);
static void *contexts[TASKS_MAX + 1];
static bool completed[TASKS_MAX + 1];

static int64_t now(const lull_host *host)
{
    (void)host;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void log_task(const lull_host *host, lull_task task, lull_level level, const char *message)
{
    (void)host;
    printf("log %llu %s: %s\n", (unsigned long long)task, level >= LULL_ERROR ? "error" : "info", message);
}

static void log_app(const lull_host *host, lull_level level, const char *message)
{
    log_task(host, 0, level, message);
}

/* Whole lines of it, as a terminal would show them. */
static void print_task(const lull_host *host, lull_task task, lull_stream stream, const void *bytes,
                       size_t count)
{
    (void)host;
    static char lines[TASKS_MAX + 1][LULL_STREAM_ERROR + 1][4096];
    static size_t lengths[TASKS_MAX + 1][LULL_STREAM_ERROR + 1];
    pthread_mutex_lock(&lock);
    char *line = lines[task][stream];
    size_t *length = &lengths[task][stream];
    for (const char *next = bytes; next < (const char *)bytes + count; next++) {
        if (*next != '\n' && *length < sizeof lines[0][0]) {
            line[(*length)++] = *next;
            continue;
        }
        printf("print %llu %s: %.*s\n", (unsigned long long)task,
               stream == LULL_STREAM_ERROR ? "error" : "output", (int)*length, line);
        *length = 0;
    }
    pthread_mutex_unlock(&lock);
}

static bool register_task(const lull_host *host, const char *identifier)
{
    (void)host;
    printf("register %s\n", identifier);
    return true;
}

static int64_t setting(const lull_host *host, lull_task task, const char *pointer, char *buffer,
                       size_t capacity)
{
    (void)host;
    int index;
    const char *value = NULL;
    printf("asked %llu %s\n", (unsigned long long)task, pointer);
    if (task == 0 && strcmp(pointer, "/lull/permitted/0") == 0)
        value = "com.example.RepoRefresh.fetch";
    else if (task == 0 && sscanf(pointer, "/repositories/%d", &index) == 1 && index < repository_count)
        value = repositories[index];
    if (value == NULL)
        return -1;
    if (buffer != NULL)
        snprintf(buffer, capacity, "%s", value);
    return (int64_t)strlen(value);
}

static void set_expiration_handler(const lull_host *host, lull_task task, void *context,
                                   void (*handler)(void *, lull_task))
{
    (void)host;
    pthread_mutex_lock(&lock);
    handlers[task] = handler;
    contexts[task] = context;
    pthread_mutex_unlock(&lock);
}

static void set_task_completed(const lull_host *host, lull_task task, bool success)
{
    (void)host;
    pthread_mutex_lock(&lock);
    printf("completed %llu %s%s\n", (unsigned long long)task, success ? "true" : "false",
           completed[task] ? " again" : "");
    completed[task] = true;
    handlers[task] = NULL;
    open_tasks--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *listen_to_input(void *unused)
{
    (void)unused;
    unsigned task;
    while (scanf(" expire %u", &task) == 1 && task <= TASKS_MAX) {
        pthread_mutex_lock(&lock);
        void (*handler)(void *, lull_task) = handlers[task];
        void *context = contexts[task];
        pthread_mutex_unlock(&lock);
        if (handler != NULL)
            handler(context, task);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    int tasks = count > 2 ? atoi(arguments[2]) : 0;
    if (tasks < 1 || tasks > TASKS_MAX)
        return 64;
    repositories = arguments + 3;
    repository_count = count - 3;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const lull_plugin *plugin = library ? dlsym(library, "lull_plugin_entry") : NULL;
    if (plugin == NULL || plugin->abi_major != LULL_ABI_MAJOR || plugin->size != sizeof *plugin) {
        printf("no plugin: %s\n", dlerror());
        return 78;
    }
    static lull_host host;
    host = (lull_host){
        .size = sizeof host, .abi_major = LULL_ABI_MAJOR, .abi_minor = LULL_ABI_MINOR, .version = "fake",
        .now = now, .log = log_app, .register_task = register_task,
        .set_expiration_handler = set_expiration_handler, .set_task_completed = set_task_completed,
        .app = "com.example.RepoRefresh", .settings = "{}", .state_dir = "/tmp",
        .setting = setting, .log_task = log_task, .print_task = print_task,
    };
    if (strstr(arguments[2], "old") != NULL) {
        host.size = offsetof(lull_host, update_titles);
        host.abi_minor = 0;
    }
    if (plugin->start(&host) != 0)
        return 78;
    open_tasks = tasks;
    pthread_t listener;
    pthread_create(&listener, NULL, listen_to_input, NULL);
    for (int task = 1; task <= tasks; task++) {
        lull_launch launch = {
            .size = sizeof launch, .kind = LULL_KIND_PROCESSING, .task = (lull_task)task,
            .identifier = "com.example.RepoRefresh.fetch", .deadline_ns = now(&host) + 60000000000,
            .settings = "{}",
        };
        plugin->launch(&launch);
    }
    pthread_mutex_lock(&lock);
    while (open_tasks > 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    fflush(stdout);
    _Exit(0);
}
