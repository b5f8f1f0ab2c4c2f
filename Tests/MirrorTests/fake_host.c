/*
 * A host small enough to see through, for Mirror: loads the plugin and does what stands on standard input, a line each,
 * its fields with tabs between them:
 *
 *   set POINTER VALUE                                   a setting of the app
 *   transfer NUMBER PHASE STATUS FILE LABEL URL ETAG    a transfer; `-`: none
 *   launch KIND                                         a run, to its end; its task is as many as there were
 *
 * What the plugin says and does is printed, a line each.
 *
 *   fake_host PLUGIN STATE_FOLDER
 */
#define _GNU_SOURCE
#include "lull_plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 32 };

struct transfer {
    uint64_t number;
    lull_transfer_phase phase;
    int64_t status;
    char *file, *label, *url, *etag;
    bool was_taking, is_taken;
};

static struct { char *pointer, *value; } settings[MANY];
static struct transfer transfers[MANY];
static size_t setting_count, transfer_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_over;

static void log_task(const lull_host *host, lull_task task, lull_level level, const char *message)
{
    (void)host, (void)task;
    printf("%s: %s\n", level >= LULL_ERROR ? "error" : "log", message);
}

static void log_app(const lull_host *host, lull_level level, const char *message)
{
    log_task(host, 0, level, message);
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
    for (size_t i = 0; task == 0 && i < setting_count; i++) {
        if (strcmp(settings[i].pointer, pointer) != 0)
            continue;
        if (buffer != NULL)
            snprintf(buffer, capacity, "%s", settings[i].value);
        return (int64_t)strlen(settings[i].value);
    }
    return -1;
}

static void set_expiration_handler(const lull_host *host, lull_task task, void *context,
                                   void (*handler)(void *, lull_task))
{
    (void)host, (void)task, (void)context, (void)handler;
}

static void set_task_completed(const lull_host *host, lull_task task, bool success)
{
    (void)host, (void)task;
    pthread_mutex_lock(&lock);
    printf("completed %s\n", success ? "true" : "false");
    is_over = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static lull_status transfer(const lull_host *host, const lull_transfer_order *order, uint64_t *number,
                            char *reason, size_t capacity)
{
    (void)host;
    if (strstr(order->url, "forbidden") != NULL) {
        snprintf(reason, capacity, "jobs.yaml does not permit the host");
        return LULL_NOT_PERMITTED;
    }
    *number = 100 + order->ordinal;
    printf("asked %s %s as %llu for %s", order->session, order->url, (unsigned long long)order->ordinal,
           order->label);
    for (size_t i = 0; i < order->header_count; i++)
        printf(" [%s: %s]", order->headers[i].name, order->headers[i].value);
    printf("\n");
    return LULL_OK;
}

static uint64_t visit_transfers(const lull_host *host, const char *session, void *context,
                                void (*visit)(void *, const lull_transfer_state *))
{
    (void)host;
    if (session != NULL)
        abort(); /* Mirror looks at all of its own. */
    for (size_t i = 0; i < transfer_count; i++) {
        struct transfer *each = &transfers[i];
        if (each->is_taken)
            continue;
        lull_transfer_order order = {.size = sizeof order, .session = "example.org", .ordinal = i + 1,
                                     .url = each->url, .label = each->label};
        lull_header header = {"etag", each->etag};
        lull_transfer_state state = {
            .size = sizeof state, .phase = each->phase, .transfer = each->number, .order = &order,
            .status = each->status, .url = each->url, .headers = &header,
            .header_count = each->etag == NULL ? 0 : 1, .file = each->file,
            .sentence = each->phase == LULL_TRANSFER_FAILED ? "There is no such host." : NULL,
            .was_taking = each->was_taking,
        };
        visit(context, &state);
    }
    return transfer_count + 1;
}

static lull_status act(const lull_host *host, uint64_t number, lull_transfer_act act, char *reason,
                       size_t capacity)
{
    (void)host, (void)reason, (void)capacity;
    printf("act %llu %s\n", (unsigned long long)number,
           act == LULL_TRANSFER_TAKING  ? "taking"
           : act == LULL_TRANSFER_TAKEN ? "taken"
                                        : "other");
    for (size_t i = 0; i < transfer_count; i++) {
        if (transfers[i].number != number)
            continue;
        transfers[i].was_taking = true;
        if (act == LULL_TRANSFER_TAKEN) {
            transfers[i].is_taken = true;
            if (transfers[i].file != NULL)
                remove(transfers[i].file);
        }
    }
    return LULL_OK;
}

static void set_transfer_handler(const lull_host *host, void *context, void (*handler)(void *, const char *))
{
    (void)host, (void)context, (void)handler;
}

static char *field(char **rest)
{
    char *text = strsep(rest, "\t\n");
    return text == NULL || strcmp(text, "-") == 0 ? NULL : strdup(text);
}

static void launch(const lull_plugin *plugin, const char *kind)
{
    static lull_task task;
    lull_launch launch = {
        .size = sizeof launch, .task = ++task, .identifier = "com.example.Mirror.fetch", .settings = "{}",
        .kind = strcmp(kind, "transfers") == 0 ? LULL_KIND_TRANSFERS : LULL_KIND_PROCESSING,
    };
    is_over = false;
    plugin->launch(&launch);
    pthread_mutex_lock(&lock);
    while (!is_over)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void obey(const lull_plugin *plugin, char *line)
{
    char *word = field(&line);
    if (word != NULL && strcmp(word, "set") == 0 && setting_count < MANY) {
        settings[setting_count].pointer = field(&line);
        settings[setting_count++].value = field(&line);
    } else if (word != NULL && strcmp(word, "transfer") == 0 && transfer_count < MANY) {
        struct transfer *new = &transfers[transfer_count++];
        char *number = field(&line), *phase = field(&line), *status = field(&line);
        new->number = strtoull(number, NULL, 10);
        new->phase = (lull_transfer_phase)atoi(phase);
        new->was_taking = strchr(phase, '!') != NULL;
        new->status = atoll(status);
        new->file = field(&line);
        new->label = field(&line);
        new->url = field(&line);
        new->etag = field(&line);
    } else if (word != NULL && strcmp(word, "launch") == 0) {
        launch(plugin, field(&line));
    }
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = count == 3 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
    const lull_plugin *plugin = library ? dlsym(library, "lull_plugin_entry") : NULL;
    if (plugin == NULL)
        return 78;
    static lull_host host;
    host = (lull_host){
        .size = sizeof host, .abi_major = LULL_ABI_MAJOR, .abi_minor = LULL_ABI_MINOR, .version = "fake",
        .log = log_app, .register_task = register_task, .set_expiration_handler = set_expiration_handler,
        .set_task_completed = set_task_completed, .app = "com.example.Mirror", .settings = "{}",
        .state_dir = arguments[2], .setting = setting, .log_task = log_task, .transfer = transfer,
        .transfers = visit_transfers, .act_on_transfer = act, .set_transfer_handler = set_transfer_handler,
    };
    if (plugin->start(&host) != 0)
        return 78;
    char line[8192];
    while (fgets(line, sizeof line, stdin) != NULL)
        obey(plugin, line);
    fflush(stdout);
    _Exit(0);
}
