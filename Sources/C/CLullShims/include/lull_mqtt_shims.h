/* The messages of an MQTT broker, through libmosquitto, loaded where it is there. */
#ifndef LULL_MQTT_SHIMS_H
#define LULL_MQTT_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lull_mqtt_broker {
    const char *_Nonnull host;
    int port;
    bool is_encrypted;
    const char *_Nonnull client; /* by this name the broker keeps the messages that come while there is no connection */
    const char *_Nullable user;
    const char *_Nullable password;
    const char *_Nullable ca_file; /* null: the system's certificates */
    const char *_Nonnull const *_Nonnull topics;
    size_t topic_count;
} lull_mqtt_broker;

/* False: the message could not be kept. The connection then ends before it is acknowledged, so it comes again. */
typedef bool (*lull_mqtt_deliver)(
    void *_Nullable context, const char *_Nonnull topic, const void *_Nullable payload, size_t size);

/* Whether libmosquitto can be loaded. */
bool lull_mqtt_is_there(void);

/* Receives until the connection ends. `ready` is called once all topics are subscribed to. `reason` says why it ended,
   and is empty where `deliver` ended it. -1: there is no libmosquitto. */
int lull_mqtt_receive(
    const lull_mqtt_broker *_Nonnull broker, void *_Nullable context, lull_mqtt_deliver _Nonnull deliver,
    void (*_Nonnull ready)(void *_Nullable context), char *_Nonnull reason, size_t capacity);

#endif
