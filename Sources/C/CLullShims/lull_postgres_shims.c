#include "lull_postgres_shims.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* As libpq.so.5 has it: the one type of its own that does not stay opaque. */
struct option {
    char *keyword;
    char *variable;
    char *compiled;
    char *value;
    char *label;
    char *kind;
    int size;
};

/* PGRES_EMPTY_QUERY ... PGRES_TUPLES_OK; any other status is an error here. */
enum { COMMAND_OK = 1, TUPLES_OK = 2 };

static struct {
    lull_pq_link *(*start)(const char *const *names, const char *const *values, int expands);
    int (*poll)(lull_pq_link *link);
    int (*status)(const lull_pq_link *link);
    int (*socket)(const lull_pq_link *link);
    char *(*words)(const lull_pq_link *link);
    struct option *(*options)(lull_pq_link *link);
    void (*free_options)(struct option *options);
    int (*set_nonblocking)(lull_pq_link *link, int is_nonblocking);
    void *(*notices)(lull_pq_link *link, void (*receive)(void *, const lull_pq_result *), void *context);
    void (*finish)(lull_pq_link *link);
    int (*send)(
        lull_pq_link *link, const char *statement, int count, const unsigned *types, const char *const *values,
        const int *lengths, const int *formats, int format);
    int (*flush)(lull_pq_link *link);
    int (*take_in)(lull_pq_link *link);
    int (*is_busy)(lull_pq_link *link);
    lull_pq_result *(*next)(lull_pq_link *link);
    lull_pq_result *(*run)(lull_pq_link *link, const char *statements);
    int (*result_status)(const lull_pq_result *result);
    int (*rows)(const lull_pq_result *result);
    char *(*value)(const lull_pq_result *result, int row, int column);
    char *(*field)(const lull_pq_result *result, int field);
    void (*clear)(lull_pq_result *result);
} api;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static bool is_loaded;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        void *place;
        const char *name;
    } all[] = {
        {&api.start, "PQconnectStartParams"},
        {&api.poll, "PQconnectPoll"},
        {&api.status, "PQstatus"},
        {&api.socket, "PQsocket"},
        {&api.words, "PQerrorMessage"},
        {&api.options, "PQconninfo"},
        {&api.free_options, "PQconninfoFree"},
        {&api.set_nonblocking, "PQsetnonblocking"},
        {&api.notices, "PQsetNoticeReceiver"},
        {&api.finish, "PQfinish"},
        {&api.send, "PQsendQueryParams"},
        {&api.flush, "PQflush"},
        {&api.take_in, "PQconsumeInput"},
        {&api.is_busy, "PQisBusy"},
        {&api.next, "PQgetResult"},
        {&api.run, "PQexec"},
        {&api.result_status, "PQresultStatus"},
        {&api.rows, "PQntuples"},
        {&api.value, "PQgetvalue"},
        {&api.field, "PQresultErrorField"},
        {&api.clear, "PQclear"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *symbol = dlsym(library, all[i].name);
        if (!symbol) return;
        memcpy(all[i].place, &symbol, sizeof symbol);
    }
    is_loaded = true;
}

bool lull_pq_load(void) {
    pthread_once(&loading, load);
    return is_loaded;
}

/* By default libpq writes a server's notices to standard error. */
static void ignore(void *context, const lull_pq_result *notice) {
    (void)context;
    (void)notice;
}

lull_pq_link *lull_pq_start(const char *const *names, const char *const *values) {
    lull_pq_link *link = api.start(names, values, 1);
    if (link) api.notices(link, ignore, NULL);
    return link;
}

int lull_pq_go_on(lull_pq_link *link) {
    switch (api.poll(link)) {
    case 1: return 1;
    case 2: return 2;
    case 3: return 0;
    default: return -1;
    }
}

bool lull_pq_is_broken(const lull_pq_link *link) { return api.status(link) == 1; }
int lull_pq_socket(const lull_pq_link *link) { return api.socket(link); }
const char *lull_pq_words(const lull_pq_link *link) { return api.words(link); }

char *lull_pq_option(lull_pq_link *link, const char *name) {
    struct option *options = api.options(link);
    char *value = NULL;
    for (struct option *option = options; option && option->keyword; option++) {
        if (strcmp(option->keyword, name) == 0 && option->value) value = strdup(option->value);
    }
    if (options) api.free_options(options);
    return value;
}

void lull_pq_never_wait(lull_pq_link *link) { api.set_nonblocking(link, 1); }
void lull_pq_finish(lull_pq_link *link) { api.finish(link); }

bool lull_pq_send(lull_pq_link *link, const char *statement, const char *parameter) {
    return api.send(link, statement, 1, NULL, &parameter, NULL, NULL, 0) == 1;
}
int lull_pq_flush(lull_pq_link *link) { return api.flush(link); }
bool lull_pq_take_in(lull_pq_link *link) { return api.take_in(link) == 1; }
bool lull_pq_is_busy(lull_pq_link *link) { return api.is_busy(link) == 1; }
lull_pq_result *lull_pq_next(lull_pq_link *link) { return api.next(link); }
lull_pq_result *lull_pq_run(lull_pq_link *link, const char *statements) { return api.run(link, statements); }

bool lull_pq_is_fault(const lull_pq_result *result) {
    int status = api.result_status(result);
    return status != COMMAND_OK && status != TUPLES_OK;
}
const char *lull_pq_value(const lull_pq_result *result) {
    return api.result_status(result) == TUPLES_OK && api.rows(result) > 0 ? api.value(result, 0, 0) : NULL;
}
const char *lull_pq_fault(const lull_pq_result *result, int field) { return api.field(result, field); }
void lull_pq_clear(lull_pq_result *result) { api.clear(result); }
