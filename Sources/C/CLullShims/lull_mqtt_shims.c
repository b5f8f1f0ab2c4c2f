#include "lull_mqtt_shims.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* As libmosquitto.so.1 has it: the one type of its own that does not stay opaque. */
struct message {
    int id;
    char *topic;
    void *payload;
    int size;
    int qos;
    bool is_retained;
};

typedef void connected(void *client, void *context, int code, int flags);
typedef void subscribed(void *client, void *context, int id, int count, const int *granted);
typedef void received(void *client, void *context, const struct message *message);

static struct {
    int (*lib_init)(void);
    void *(*new_client)(const char *id, bool is_clean, void *context);
    void (*destroy)(void *client);
    int (*username_pw_set)(void *client, const char *user, const char *password);
    int (*tls_set)(
        void *client, const char *ca_file, const char *ca_path, const char *certificate, const char *key,
        void *password);
    int (*threaded_set)(void *client, bool is_threaded);
    void (*connect_callback)(void *client, connected *callback);
    void (*subscribe_callback)(void *client, subscribed *callback);
    void (*message_callback)(void *client, received *callback);
    int (*connect)(void *client, const char *host, int port, int keepalive);
    int (*subscribe)(void *client, int *id, const char *topic, int qos);
    int (*socket)(void *client);
    bool (*want_write)(void *client);
    int (*loop_read)(void *client, int most);
    int (*loop_write)(void *client, int most);
    int (*loop_misc)(void *client);
    int (*matches)(const char *filter, const char *topic, bool *result);
    const char *(*strerror)(int code);
    const char *(*connack_string)(int code);
} api;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static bool is_loaded;

static void load(void) {
    void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        void *place;
        const char *name;
    } all[] = {
        {&api.lib_init, "mosquitto_lib_init"},
        {&api.new_client, "mosquitto_new"},
        {&api.destroy, "mosquitto_destroy"},
        {&api.username_pw_set, "mosquitto_username_pw_set"},
        {&api.tls_set, "mosquitto_tls_set"},
        {&api.threaded_set, "mosquitto_threaded_set"},
        {&api.connect_callback, "mosquitto_connect_with_flags_callback_set"},
        {&api.subscribe_callback, "mosquitto_subscribe_callback_set"},
        {&api.message_callback, "mosquitto_message_callback_set"},
        {&api.connect, "mosquitto_connect"},
        {&api.subscribe, "mosquitto_subscribe"},
        {&api.socket, "mosquitto_socket"},
        {&api.want_write, "mosquitto_want_write"},
        {&api.loop_read, "mosquitto_loop_read"},
        {&api.loop_write, "mosquitto_loop_write"},
        {&api.loop_misc, "mosquitto_loop_misc"},
        {&api.matches, "mosquitto_topic_matches_sub"},
        {&api.strerror, "mosquitto_strerror"},
        {&api.connack_string, "mosquitto_connack_string"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *symbol = dlsym(library, all[i].name);
        if (!symbol) return;
        memcpy(all[i].place, &symbol, sizeof symbol);
    }
    is_loaded = api.lib_init() == 0;
}

bool lull_mqtt_is_there(void) {
    pthread_once(&loading, load);
    return is_loaded;
}

/* One connection. */
struct link {
    const lull_mqtt_broker *broker;
    void *context;
    lull_mqtt_deliver deliver;
    void (*ready)(void *context);
    char *reason;
    size_t capacity;
    size_t pending; /* topics that the broker has yet to grant */
    bool is_known;  /* the broker has kept what came meanwhile */
    bool is_over;
};

static void end(struct link *link, const char *reason) {
    if (link->is_over) return;
    link->is_over = true;
    snprintf(link->reason, link->capacity, "%s", reason);
}

static void on_connect(void *client, void *context, int code, int flags) {
    struct link *link = context;
    if (code != 0) return end(link, api.connack_string(code));
    link->is_known = flags & 1;
    link->pending = link->broker->topic_count;
    for (size_t i = 0; i < link->broker->topic_count; i++) {
        int failed = api.subscribe(client, NULL, link->broker->topics[i], 1);
        if (failed) return end(link, api.strerror(failed));
    }
}

static void on_subscribe(void *client, void *context, int id, int count, const int *granted) {
    (void)client;
    (void)id;
    struct link *link = context;
    for (int i = 0; i < count; i++) {
        if (granted[i] > 2) return end(link, "it refuses one of the topics");
    }
    if (link->pending > 0 && --link->pending == 0 && !link->is_over) link->ready(link->context);
}

static void on_message(void *client, void *context, const struct message *message) {
    (void)client;
    struct link *link = context;
    // Messages behind one that could not be kept come again with it.
    if (link->is_over) return;
    // A broker that knows this client has sent it the retained messages before.
    if (message->is_retained && link->is_known) return;
    bool is_wanted = false;
    for (size_t i = 0; i < link->broker->topic_count && !is_wanted; i++) {
        api.matches(link->broker->topics[i], message->topic, &is_wanted);
    }
    if (!is_wanted) return;
    if (!link->deliver(link->context, message->topic, message->payload, (size_t)message->size)) end(link, "");
}

static void receive(void *client, struct link *link) {
    while (!link->is_over) {
        struct pollfd watched = {.fd = api.socket(client), .events = POLLIN};
        if (watched.fd < 0) return end(link, "it has closed the connection");
        if (api.want_write(client)) watched.events |= POLLOUT;
        // The time within which a quiet connection is kept alive.
        if (poll(&watched, 1, 5000) < 0 && errno != EINTR) return end(link, strerror(errno));
        int failed = 0;
        if (watched.revents & (POLLIN | POLLERR | POLLHUP)) failed = api.loop_read(client, 1);
        // Acknowledgements wait until here: libmosquitto makes them before it reports a message.
        if (!failed && !link->is_over && api.want_write(client)) failed = api.loop_write(client, 1);
        if (!failed) failed = api.loop_misc(client);
        if (failed) return end(link, api.strerror(failed));
    }
}

int lull_mqtt_receive(
    const lull_mqtt_broker *broker, void *context, lull_mqtt_deliver deliver, void (*ready)(void *context),
    char *reason, size_t capacity) {
    pthread_once(&loading, load);
    if (!is_loaded) return -1;
    struct link link = {
        .broker = broker,
        .context = context,
        .deliver = deliver,
        .ready = ready,
        .reason = reason,
        .capacity = capacity,
    };
    void *client = api.new_client(broker->client, false, &link);
    if (!client) {
        end(&link, strerror(errno));
        return 0;
    }
    api.connect_callback(client, on_connect);
    api.subscribe_callback(client, on_subscribe);
    api.message_callback(client, on_message);
    // A threaded client is written by its caller; else libmosquitto writes each answer at once.
    int failed = api.threaded_set(client, true);
    if (!failed && broker->user) failed = api.username_pw_set(client, broker->user, broker->password);
    if (!failed && broker->is_encrypted) {
        failed = api.tls_set(
            client, broker->ca_file, broker->ca_file ? NULL : "/etc/ssl/certs", NULL, NULL, NULL);
    }
    errno = 0;
    if (!failed) failed = api.connect(client, broker->host, broker->port, 60);
    // 14: MOSQ_ERR_ERRNO, of which the sentence is errno's.
    if (failed) end(&link, failed == 14 && errno ? strerror(errno) : api.strerror(failed));
    receive(client, &link);
    api.destroy(client);
    return 0;
}
