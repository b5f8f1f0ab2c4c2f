/*
 * Mirror: keeps files of web servers as local ones, and older versions of them.
 *
 * A model for plugins in C that have files transferred: it needs lull_plugin.h and libc, nothing else. Build it with
 *
 *   gcc -std=c17 -Wall -Wextra -fPIC -shared -pthread -I INCLUDE -o libMirror.so *.c
 *
 * Each of its tasks asks for a download of each file of the settings that is not on its way already, and is done: the host
 * transfers, when it costs nobody anything. Once all of a server have come the host launches APP.transfers, which checks
 * them, puts them in their places, and says which have failed. The server is asked only for what has changed since: it answers
 * 304 for the rest. All that a download is for stands in its label, so the settings may change meanwhile.
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include "mirror.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LULL_SETTINGS_SCHEMA({
    "lull_settings": 1,
    "task_over_app": true,
    "task": {
        "type": "object", "additionalProperties": false, "required": ["files"],
        "properties": {
            "files": {
                "type": "array", "minItems": 1,
                "description": "The files: where each comes from, and where it goes to",
                "examples": [[{ "url": "https://example.org/list.txt", "to": "/srv/mirror/list.txt" }]],
                "items": {
                    "type": "object", "additionalProperties": false, "required": ["url", "to"],
                    "properties": {
                        "url": {
                            "type": "string", "pattern": "^https?://",
                            "description": "Where it comes from", "examples": ["https://example.org/list.txt"]
                        },
                        "to": {
                            "type": "string", "pattern": "^/.*[^/]$",
                            "description": "Its absolute path here", "examples": ["/srv/mirror/list.txt"]
                        },
                        "sha256": {
                            "type": "string", "pattern": "^[0-9a-f]{64}$",
                            "description": "What sha256sum says of it: another is not taken"
                        }
                    }
                }
            },
            "keep": {
                "type": "integer", "minimum": 0, "maximum": 100, "default": 0,
                "description": "So many older versions stay, as FILE.1, FILE.2 and so on"
            }
        }
    }
});

const lull_host *host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `runs` */
static struct run *runs;
/* Two runs at once would both take, or ask for, the same file. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void say(struct run *run, lull_level level, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (level >= LULL_ERROR && run->failure[0] == '\0')
        memcpy(run->failure, message, sizeof message);
    run->failed_last = level >= LULL_ERROR;
    if (LULL_HAS(lull_host, host, log_task))
        host->log_task(host, run->task, level, message);
    else
        host->log(host, level, message);
}

char *setting(lull_task task, const char *pointer)
{
    if (!LULL_HAS(lull_host, host, setting))
        return NULL;
    int64_t length = host->setting(host, task, pointer, NULL, 0);
    if (length < 0)
        return NULL;
    char *value = malloc((size_t)length + 1);
    if (value != NULL && host->setting(host, task, pointer, value, (size_t)length + 1) != length) {
        free(value);
        return NULL;
    }
    return value;
}

bool has_expired(const void *run) { return atomic_load(&((const struct run *)run)->expired); }

static void end(struct run *run, bool success)
{
    /* Lull quotes what a failed run said last as its reason. */
    if (!success && !run->failed_last && run->failure[0] != '\0')
        say(run, LULL_ERROR, "%s", run->failure);
    pthread_mutex_lock(&lock);
    struct run **link = &runs;
    while (*link != run)
        link = &(*link)->next;
    *link = run->next;
    pthread_mutex_unlock(&lock);
    lull_task task = run->task;
    free(run);
    host->set_task_completed(host, task, success);
}

/* An older worker offers no transfers. */
static bool can_transfer(void)
{
    return LULL_HAS(lull_host, host, act_on_transfer) && host->transfer != NULL && host->transfers != NULL
           && host->act_on_transfer != NULL;
}

static void *work(void *context)
{
    struct run *run = context;
    if (!can_transfer()) {
        say(run, LULL_ERROR, "this version of lull transfers no files for its apps. Update it.");
        end(run, false);
        return NULL;
    }
    pthread_mutex_lock(&turn);
    bool is_well = run->kind == LULL_KIND_TRANSFERS ? take_all(run) : ask_for_all(run);
    pthread_mutex_unlock(&turn);
    end(run, is_well);
    return NULL;
}

/* [control-thread] */
static void expire(void *context, lull_task task)
{
    (void)context;
    pthread_mutex_lock(&lock);
    for (struct run *run = runs; run != NULL; run = run->next)
        if (run->task == task)
            atomic_store(&run->expired, true);
    pthread_mutex_unlock(&lock);
}

/* [control-thread] */
static void launch(const lull_launch *launch)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        host->log(host, LULL_ERROR, "a task can't begin: there is no memory");
        host->set_task_completed(host, launch->task, false);
        return;
    }
    run->task = launch->task;
    run->kind = launch->kind;
    pthread_mutex_lock(&lock);
    run->next = runs;
    runs = run;
    pthread_mutex_unlock(&lock);
    host->set_expiration_handler(host, launch->task, NULL, expire);

    pthread_t thread;
    int error = pthread_create(&thread, NULL, work, run);
    if (error != 0) {
        say(run, LULL_ERROR, "the task can't begin: %s", strerror(error));
        end(run, false);
    } else {
        pthread_detach(thread);
    }
}

/* Registers every identifier that jobs.yaml permits to this app, APP.transfers among them. */
static int32_t start(const lull_host *given)
{
    host = given;
    for (unsigned i = 0;; i++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/lull/permitted/%u", i);
        char *identifier = setting(0, pointer);
        if (identifier == NULL)
            return 0;
        host->register_task(host, identifier);
        free(identifier);
    }
}

const lull_plugin lull_plugin_entry = {
    .size = sizeof(lull_plugin),
    .abi_major = LULL_ABI_MAJOR,
    .abi_minor = LULL_ABI_MINOR,
    .sdk = "c",
    .start = start,
    .launch = launch,
};
