/*
 * lull_plugin.h: the whole contract between lull-worker and a plugin.
 *
 * One worker process loads one plugin and never unloads it: the process is the lifetime,
 * so there is no "deinit". Every string is NUL-terminated UTF-8 and is borrowed until
 * the call returns; copy it to keep it longer. Every struct begins with the size that
 * its maker compiled; fields are only ever appended, and a zero in an appended field
 * means "as before". No memory changes owner. Fields of a later minor version are marked
 * with it; check them with LULL_HAS. Each function names its threads:
 *
 *   [main-thread]     the thread that ran the worker's main()
 *   [control-thread]  one worker thread; its calls never overlap; return promptly
 *   [any-thread]      at any time, concurrently, also from inside a callback
 */
#ifndef LULL_PLUGIN_H
#define LULL_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LULL_ABI_MAJOR 1
#define LULL_ABI_MINOR 3

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#define LULL_NULLABLE _Nullable
#define LULL_SENDABLE __attribute__((swift_attr("@Sendable")))
#else
#define LULL_NULLABLE
#define LULL_SENDABLE
#endif
#define LULL_EXPORT __attribute__((visibility("default")))

/* True when the maker of `s` knew of `field`. */
#define LULL_HAS(type, s, field) ((s)->size >= offsetof(type, field) + sizeof((s)->field))

/* A task is named by number, never by address: a late or repeated call about a
   task that has ended is ignored and logged, and can harm nothing. Never 0. */
typedef uint64_t lull_task;

/* Values are only ever added. Treat an unknown kind as processing. CONTINUED since 1.1,
   PUSH since 1.2, TRANSFERS since 1.3: the host launches neither in a plugin whose entry is older. */
typedef uint32_t lull_kind;
enum {
    LULL_KIND_REFRESH = 1,
    LULL_KIND_PROCESSING = 2,
    LULL_KIND_CONTINUED = 3,
    LULL_KIND_PUSH = 4,
    LULL_KIND_TRANSFERS = 5
};

/* The values of BGTaskScheduler.Error.Code. Treat an unknown status as unavailable.
   IMMEDIATE_RUN_INELIGIBLE since 1.1, and only for a request with LULL_STRATEGY_FAIL. */
typedef int32_t lull_status;
enum {
    LULL_OK = 0,
    LULL_UNAVAILABLE = 1,
    LULL_TOO_MANY_PENDING = 2,
    LULL_NOT_PERMITTED = 3,
    LULL_IMMEDIATE_RUN_INELIGIBLE = 4
};

/* A set of bits. Ignore the ones you don't know. */
typedef uint32_t lull_requirements;
enum { LULL_REQUIRES_NETWORK = 1u << 0, LULL_REQUIRES_EXTERNAL_POWER = 1u << 1 };

/* What becomes of a continued request that can't be launched at once. Since 1.1. */
typedef uint32_t lull_strategy;
enum { LULL_STRATEGY_QUEUE = 0, LULL_STRATEGY_FAIL = 1 };

/* A set of bits: what a continued request needs beside the processor. Since 1.1. */
typedef uint32_t lull_resources;
enum { LULL_RESOURCE_GPU = 1u << 0 };

/* Mistakes in a plugin's code. Values are only ever added. Treat an unknown one as OTHER. Since 1.1. */
typedef uint32_t lull_fault;
enum {
    LULL_FAULT_OTHER = 0,
    LULL_FAULT_REGISTERED_TWICE = 1, /* a second handler for one identifier: ends the worker */
    LULL_FAULT_NOT_REGISTERED = 2,   /* a submit or a launch without a handler: ends the worker */
    LULL_FAULT_REGISTERED_LATE = 3,  /* a handler after `start` for a task that is not continued */
    LULL_FAULT_TASK_DROPPED = 4,     /* a task's object is gone, and the task was never completed */
    LULL_FAULT_ACTIVITY_UNKNOWN = 5  /* an activity was ended that had not begun, or twice */
};

/* From the least to the most severe. */
typedef int32_t lull_level;
enum { LULL_TRACE, LULL_DEBUG, LULL_INFO, LULL_NOTICE, LULL_WARNING, LULL_ERROR, LULL_CRITICAL };

/* The stream that a run printed to. Since 1.1. */
typedef uint32_t lull_stream;
enum { LULL_STREAM_OUTPUT = 1, LULL_STREAM_ERROR = 2 };

/* A request to run a task once. */
typedef struct lull_request {
    uint32_t size;
    lull_kind kind;
    const char *identifier;
    int64_t earliest_begin_unix_ns; /* 0: no earlier bound */
    lull_requirements requirements; /* processing only */
    uint32_t reserved;              /* 0 */

    /* Since 1.1. Shown to people while a continued task waits and runs; null: nothing. */
    const char *LULL_NULLABLE title;
    const char *LULL_NULLABLE subtitle;
    lull_strategy strategy;   /* continued only */
    lull_resources resources; /* continued only */
    /* Not null: a processing request for health research, and the protection of the data that it
       needs, as FileProtectionType names it. It is launched as a processing task. */
    const char *LULL_NULLABLE protection;
} lull_request;

/* One run of one task. */
typedef struct lull_launch {
    uint32_t size;
    lull_kind kind; /* that of the request, which may be less than the manifest's */
    lull_task task;
    const char *identifier;
    int64_t deadline_ns;  /* on the clock of lull_host.now; the expiration handler is called before it */
    const char *settings; /* the task's settings from jobs.yaml as JSON; "{}" when it has none */

    /* Since 1.1. From the request; null: it set none. */
    const char *LULL_NULLABLE title;
    const char *LULL_NULLABLE subtitle;
    const char *LULL_NULLABLE protection;

    /* Since 1.2. The events of `on` that it is launched for, as JSON:
       {"on":["path"],"count":2,"first":MS,"last":MS,"paths":["/srv/in/a"]}, with "task", "run" and
       "outcome" of a chain, "device", "user"; times in ms since 1970. Null: not for an event.
       Since 1.3, of LULL_KIND_TRANSFERS: {"sessions":["name"]}, whose transfers it is to look at.
       Of a run for a slot of a fleet also "fence", a number that is greater than that of any earlier run of
       the task on any host, and "slot", the time that the run is for, in ms since 1970. Of a task with
       `retry: { attempts }` "attempt", from 1 on, and "attempts", how many there are at most. Of a task with `params`
       "params", an object of texts: the value of each. Ignore members that you do not know. */
    const char *LULL_NULLABLE origin;
    /* Since 1.2. Of a push; else null, 0 and false. The payload is foreign text: it is well-formed JSON,
       and nothing more is promised. A NUL follows it. */
    const char *LULL_NULLABLE payload;
    uint64_t payload_size;
    uint32_t merged; /* earlier pushes that this one stands for; their payloads are gone */
    bool is_urgent;  /* people are to be told: report_push before the run ends */
} lull_launch;

/* When a notification is delivered: at once, an interval after it was added, or when the app's local
   time matches its fields. Since 1.2. */
typedef uint32_t lull_notification_trigger;
enum { LULL_TRIGGER_NONE = 0, LULL_TRIGGER_INTERVAL = 1, LULL_TRIGGER_CALENDAR = 2 };

/* The values of UNNotificationInterruptionLevel, but that 0 is active. Since 1.2. */
typedef uint32_t lull_notification_level;
enum { LULL_LEVEL_ACTIVE = 0, LULL_LEVEL_PASSIVE = 1, LULL_LEVEL_TIME_SENSITIVE = 2, LULL_LEVEL_CRITICAL = 3 };

/* A set of bits: which fields of a notification are set. Since 1.2. */
typedef uint32_t lull_notification_fields;
enum {
    LULL_NOTIFICATION_YEAR = 1u << 0,
    LULL_NOTIFICATION_MONTH = 1u << 1,
    LULL_NOTIFICATION_DAY = 1u << 2,
    LULL_NOTIFICATION_WEEKDAY = 1u << 3,
    LULL_NOTIFICATION_HOUR = 1u << 4,
    LULL_NOTIFICATION_MINUTE = 1u << 5,
    LULL_NOTIFICATION_SECOND = 1u << 6,
    LULL_NOTIFICATION_BADGE = 1u << 7,
    LULL_NOTIFICATION_REPEATS = 1u << 8
};

/* A message of an app to people, now or at a time. All of its texts together have at most 4 KiB. Since 1.2. */
typedef struct lull_notification {
    uint32_t size;
    lull_notification_trigger trigger;
    const char *identifier; /* the app's own, at most 255 bytes; a waiting one with the same is replaced */
    const char *LULL_NULLABLE title;
    const char *LULL_NULLABLE subtitle;
    const char *LULL_NULLABLE body;
    const char *LULL_NULLABLE details; /* handed back as it is, and read by nobody else */
    lull_notification_level level;
    lull_notification_fields fields;
    int64_t badge;
    int64_t interval_ms; /* at least 60,000 if it repeats */
    int32_t year, month, day, weekday; /* weekday: 1 is Sunday */
    int32_t hour, minute, second;
    uint32_t reserved; /* 0 */
    /* Set by the host alone: when it was delivered or, while it waits, is due; 0: never. */
    int64_t time_unix_ns;
} lull_notification;

/* All below, up to lull_host: since 1.3. Downloads and uploads that the host makes without the plugin, over
   HTTP and HTTPS. They outlive the worker and the host. A plugin visits the transfers of a session to learn
   what became of them; the host launches APP.transfers when all of a session have ended, or when one has to
   be answered. jobs.yaml allows them with `transfers` in the app's entry. */

/* A download's body becomes a file; an upload sends one, and the answer's body becomes a file. */
typedef uint32_t lull_transfer_direction;
enum { LULL_TRANSFER_DOWNLOAD = 0, LULL_TRANSFER_UPLOAD = 1 };

/* A set of bits. */
typedef uint32_t lull_transfer_flags;
enum {
    LULL_TRANSFER_DISCRETIONARY = 1u << 0,      /* the host chooses the moment; so always for one asked for in the background */
    LULL_TRANSFER_NOT_EXPENSIVE = 1u << 1,      /* only over a network that is not metered */
    LULL_TRANSFER_NOT_CONSTRAINED = 1u << 2,    /* the same: Linux knows no Low Data Mode */
    LULL_TRANSFER_NO_LAUNCH = 1u << 3,          /* the plugin is not launched for it */
    LULL_TRANSFER_ASKS = 1u << 4                /* the plugin answers challenges; else each is handled by default */
};

/* Treat an unknown phase as WAITING. */
typedef uint32_t lull_transfer_phase;
enum {
    LULL_TRANSFER_WAITING = 1,
    LULL_TRANSFER_ACTIVE = 2,
    LULL_TRANSFER_CHALLENGED = 3, /* answer_challenge goes on with it */
    LULL_TRANSFER_PAUSED = 4,
    LULL_TRANSFER_FINISHED = 5,
    LULL_TRANSFER_FAILED = 6,
    LULL_TRANSFER_CANCELLED = 7
};

/* A server's challenge. Answer an unknown one with LULL_ANSWER_DEFAULT. */
typedef uint32_t lull_challenge;
enum {
    LULL_CHALLENGE_NONE = 0,
    LULL_CHALLENGE_SERVER_TRUST = 1,
    LULL_CHALLENGE_BASIC = 2,
    LULL_CHALLENGE_DIGEST = 3,
    LULL_CHALLENGE_CLIENT_CERTIFICATE = 4
};

/* The values of URLSession.AuthChallengeDisposition, but that a credential is of two kinds. */
typedef uint32_t lull_answer;
enum {
    LULL_ANSWER_CREDENTIAL = 0, /* `user` and `password` */
    LULL_ANSWER_DEFAULT = 1,    /* as if the plugin had not been asked */
    LULL_ANSWER_CANCEL = 2,     /* the transfer fails with -999 */
    LULL_ANSWER_REJECT = 3,
    LULL_ANSWER_TRUST = 4, /* the server's certificate is trusted, for this transfer alone */
    /* As LULL_ANSWER_DEFAULT. The plugin answers no challenges of this kind in this session, so the app is not launched for
       them again before its plugin changes. */
    LULL_ANSWER_NOBODY = 5
};

/* The acts of act_on_transfer. */
typedef uint32_t lull_transfer_act;
enum {
    LULL_TRANSFER_CANCEL = 1,
    LULL_TRANSFER_CANCEL_KEEPING = 2, /* the part is kept for a transfer that `resumes` it */
    LULL_TRANSFER_SUSPEND = 3,
    LULL_TRANSFER_RESUME = 4,
    LULL_TRANSFER_TAKING = 5, /* the result is about to be handed on: if the worker dies now, was_taking says so */
    LULL_TRANSFER_TAKEN = 6   /* it was handed on: the transfer and its file are gone */
};

typedef struct lull_header {
    const char *name;
    const char *value;
} lull_header;

/* An order for a transfer. The URL, the headers and the texts together have at most 48 KiB. */
typedef struct lull_transfer_order {
    uint32_t size;
    lull_transfer_direction direction;
    const char *session; /* a name of the plugin's own, at most 255 bytes */
    uint64_t ordinal;    /* a number of the plugin's own that the session has not had; `transfers` returns one */
    const char *LULL_NULLABLE method; /* null: GET, or PUT for an upload */
    const char *url;                  /* http or https */
    const lull_header *LULL_NULLABLE headers;
    size_t header_count;
    const void *LULL_NULLABLE body; /* of a download; at most 32 KiB */
    size_t body_size;
    const char *LULL_NULLABLE file;  /* of an upload: taken over before `transfer` returns, by link or copy */
    const char *LULL_NULLABLE label; /* kept as it is */
    lull_transfer_flags flags;
    uint32_t reserved;              /* 0 */
    int64_t earliest_begin_unix_ns; /* 0: at once */
    int64_t expected_to_send;       /* bytes; below 0: not known */
    int64_t expected_to_receive;
    int64_t idle_limit_ms;  /* without a byte for so long, an attempt is over; 0: 60 s */
    int64_t whole_limit_ms; /* after so long it has failed; 0: 7 days */
    uint64_t resumes;       /* a transfer that was cancelled keeping what has come; 0: none */
} lull_transfer_order;

/* The state of a transfer. */
typedef struct lull_transfer_state {
    uint32_t size;
    lull_transfer_phase phase;
    uint64_t transfer; /* its number; never 0 */
    const lull_transfer_order *order; /* as it was asked for; of an upload without `file` */
    int64_t received, to_receive;     /* bytes; below 0: not known */
    int64_t sent, to_send;
    /* Of a finished transfer. */
    int64_t status; /* of HTTP */
    const char *LULL_NULLABLE url; /* behind all redirections */
    const lull_header *LULL_NULLABLE headers;
    size_t header_count;
    const char *LULL_NULLABLE file; /* where the body lies, until TAKEN; move it away before */
    /* Of a failed transfer: a code of NSURLErrorDomain, and a sentence. */
    int64_t code;
    const char *LULL_NULLABLE sentence;
    bool is_resumable; /* a transfer can go on with what has come */
    bool was_taking;   /* an earlier worker said TAKING, and not TAKEN */
    /* Of a challenged transfer. */
    uint16_t challenge_port;
    lull_challenge challenge;
    const char *LULL_NULLABLE challenge_host;
    const char *LULL_NULLABLE challenge_scheme;
    const char *LULL_NULLABLE challenge_realm;
    int64_t challenge_failures;
    int64_t asked_unix_ns;
} lull_transfer_state;

/* The functions and values that the worker offers. Its address, and all it points to, stay valid until the process ends. */
typedef struct lull_host lull_host;
struct lull_host {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;
    void *LULL_NULLABLE reserved; /* the worker's own */
    const char *version;          /* for messages only; never compare */

    /* Nanoseconds on CLOCK_MONOTONIC. [any-thread] */
    int64_t (*LULL_SENDABLE now)(const lull_host *host);

    /* One line for the log, under the app's name. [any-thread] */
    void (*LULL_SENDABLE log)(const lull_host *host, lull_level level, const char *message);

    /* Claims an identifier. False when jobs.yaml does not permit it to this app, when it is
       already claimed, or after `start` has returned. [main-thread, inside start]
       Since 1.1: a continued task may be claimed at any time [any-thread], and where jobs.yaml
       permits `com.example.App.export.*`, that identifier itself or any that fits it. A launch goes
       to the handler of its own identifier, else to that of the one with the asterisk. */
    bool (*LULL_SENDABLE register_task)(const lull_host *host, const char *identifier);

    /* Replaces a pending request with the same identifier. Blocks for the host's
       verdict, a second at most. [any-thread] */
    lull_status (*LULL_SENDABLE submit)(const lull_host *host, const lull_request *request);

    /* Null cancels all of this app's pending requests. [any-thread] */
    void (*LULL_SENDABLE cancel)(const lull_host *host, const char *LULL_NULLABLE identifier);

    /* Visits each pending request before it returns, on the calling thread. [any-thread] */
    void (*LULL_SENDABLE pending)(const lull_host *host, void *LULL_NULLABLE context,
                                  void (*visit)(void *LULL_NULLABLE context, const lull_request *request));

    /* The handler is called at most once, on the control thread, never after set_task_completed has
       returned; soon if the task has already expired. Setting replaces; null clears. [any-thread] */
    void (*LULL_SENDABLE set_expiration_handler)(
        const lull_host *host, lull_task task, void *LULL_NULLABLE context,
        void (*LULL_NULLABLE LULL_SENDABLE handler)(void *LULL_NULLABLE context, lull_task task));

    /* Ends the task. The first call counts; any further one is recorded as a violation. [any-thread] */
    void (*LULL_SENDABLE set_task_completed)(const lull_host *host, lull_task task, bool success);

    /* `total` 0: indeterminate. Calls may be coalesced. [any-thread] */
    void (*LULL_SENDABLE progress)(const lull_host *host, lull_task task, int64_t completed, int64_t total,
                                   const char *LULL_NULLABLE message);

    const char *app;       /* the app's identifier */
    const char *settings;  /* the app's settings as JSON; "{}" when it has none */
    const char *state_dir; /* absolute path of a folder of the app's own; it exists and is writable */

    /* One value of the settings by JSON pointer (RFC 6901): of the task's settings when `task` is a
       running task, of the app's when it is 0. Works as snprintf does: copies at most `capacity` - 1
       bytes and a NUL, returns the length that the whole value has, or -1 when nothing is there.
       A string comes unquoted and unescaped, anything else as its JSON text. [any-thread] */
    int64_t (*LULL_SENDABLE setting)(const lull_host *host, lull_task task, const char *pointer,
                                     char *LULL_NULLABLE buffer, size_t capacity);

    /* As `log`, for the run of one task. [any-thread] */
    void (*LULL_SENDABLE log_task)(const lull_host *host, lull_task task, lull_level level,
                                   const char *message);

    /* As `submit`, and copies a sentence that says why the request was refused (empty when it was
       not) into `reason`, as snprintf does. [any-thread] */
    lull_status (*LULL_SENDABLE submit_explained)(const lull_host *host, const lull_request *request,
                                                  char *LULL_NULLABLE reason, size_t capacity);

    /* All below: since 1.1. A null function is one that this worker does not offer. */

    /* Changes what people see of a continued task that runs. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE update_titles)(const lull_host *host, lull_task task,
                                                      const char *title, const char *subtitle);

    /* Keeps the app from being suspended until the activity ends. Returns its number, or 0 when none
       was begun: too many are open, or the app's time is up. When it is nearly up, `handler` is
       called on the control thread, once, and not once it has ended: but a call that is under way may
       cross with end_activity on another thread, so let `context` outlive that. The activity then has
       to be ended, or the worker is. `name` is what history and log call it. [any-thread] */
    uint64_t (*LULL_NULLABLE LULL_SENDABLE begin_activity)(
        const lull_host *host, const char *name, void *LULL_NULLABLE context,
        void (*LULL_NULLABLE LULL_SENDABLE handler)(void *LULL_NULLABLE context, uint64_t activity));
    void (*LULL_NULLABLE LULL_SENDABLE end_activity)(const lull_host *host, uint64_t activity);

    /* Nanoseconds until the app's activities expire, all together; INT64_MAX while `start` or a run
       is under way, for the app's time counts only when nothing else keeps it awake. [any-thread] */
    int64_t (*LULL_NULLABLE LULL_SENDABLE background_time_remaining)(const lull_host *host);

    /* Whether the machine is to save power. [any-thread] */
    bool (*LULL_NULLABLE LULL_SENDABLE is_low_power_mode)(const lull_host *host);

    /* The handler is called on the control thread after each change. One for the process: setting
       replaces; null clears. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE set_low_power_handler)(
        const lull_host *host, void *LULL_NULLABLE context,
        void (*LULL_NULLABLE LULL_SENDABLE handler)(void *LULL_NULLABLE context, bool is_low_power_mode));

    /* Reports a mistake in the plugin's code to the host; it is kept in the history, with the places
       in the source ("Feed.swift:12") where it was made and where what it collides with was done.
       `task` 0: of no run. Does not return from a fault that ends the worker. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE report_fault)(const lull_host *host, lull_fault fault, lull_task task,
                                                     const char *subject, const char *LULL_NULLABLE place,
                                                     const char *LULL_NULLABLE earlier_place);

    lull_resources resources; /* those that a continued request may ask for here */
    uint32_t reserved_bits;   /* 0 */

    /* Keeps bytes with the run of one task, as they are: what a child of it printed, which the plugin
       reads from a pipe of its own. The process's own standard output is kept with every open run,
       for its run is not known. Waits while the host is busy; does nothing for a task that has ended.
       [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE print_task)(const lull_host *host, lull_task task, lull_stream stream,
                                                   const void *bytes, size_t count);

    /* All below: since 1.2. A null function is one that this worker does not offer. */

    /* Tells people, by jobs.yaml's `notify`, of the push that the run of `task` was launched for. `text` is
       one sentence. The first call of a run counts. An app that leaves urgent pushes unreported loses
       urgency. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE report_push)(const lull_host *host, lull_task task, const char *text);

    /* Whether jobs.yaml has `notifications: true` for the app. [any-thread] */
    bool (*LULL_NULLABLE LULL_SENDABLE may_notify)(const lull_host *host);

    /* Delivers a notification, at once or when it is due; until then it survives this worker and the
       host. Blocks for the host's verdict, a second at most, and copies a sentence that says why it was
       refused (empty when it was not) into `reason`, as snprintf does. [any-thread] */
    lull_status (*LULL_NULLABLE LULL_SENDABLE notify)(const lull_host *host,
                                                      const lull_notification *notification,
                                                      char *LULL_NULLABLE reason, size_t capacity);

    /* Visits each notification that waits or, if `delivered`, that was delivered and not removed since,
       before it returns, on the calling thread. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE notifications)(
        const lull_host *host, bool delivered, void *LULL_NULLABLE context,
        void (*visit)(void *LULL_NULLABLE context, const lull_notification *notification));

    /* Removes notifications that wait or, if `delivered`, those that were delivered. `identifiers` null:
       all of them. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE remove_notifications)(
        const lull_host *host, bool delivered, const char *LULL_NULLABLE const *LULL_NULLABLE identifiers,
        size_t count);

    /* The number that the app's icon would bear; 0: none. `reason` as for `notify`. [any-thread] */
    lull_status (*LULL_NULLABLE LULL_SENDABLE set_badge)(const lull_host *host, int64_t count,
                                                         char *LULL_NULLABLE reason, size_t capacity);

    /* All below: since 1.3. A null function is one that this worker does not offer. */

    /* Orders a transfer, and stores its number. It survives this worker and the host. Blocks until the host
       has recorded it, a second at most, and for the time that a copy of an upload's file takes; `reason` as
       for `notify`. [any-thread] */
    lull_status (*LULL_NULLABLE LULL_SENDABLE transfer)(const lull_host *host, const lull_transfer_order *order,
                                                        uint64_t *transfer, char *LULL_NULLABLE reason,
                                                        size_t capacity);

    /* Visits each transfer of a session, of all sessions if null, in the order of their numbers, before it
       returns, on the calling thread. Returns an ordinal that is higher than all that the session has had,
       or 0 when the host did not answer. [any-thread] */
    uint64_t (*LULL_NULLABLE LULL_SENDABLE transfers)(
        const lull_host *host, const char *LULL_NULLABLE session, void *LULL_NULLABLE context,
        void (*visit)(void *LULL_NULLABLE context, const lull_transfer_state *state));

    /* Blocks until the host has recorded it, a second at most; `reason` as for `notify`. [any-thread] */
    lull_status (*LULL_NULLABLE LULL_SENDABLE act_on_transfer)(const lull_host *host, uint64_t transfer,
                                                               lull_transfer_act act,
                                                               char *LULL_NULLABLE reason, size_t capacity);

    /* Goes on with a transfer that is challenged. `user` and `password`: of LULL_ANSWER_CREDENTIAL. [any-thread] */
    lull_status (*LULL_NULLABLE LULL_SENDABLE answer_challenge)(
        const lull_host *host, uint64_t transfer, lull_answer answer, const char *LULL_NULLABLE user,
        const char *LULL_NULLABLE password, char *LULL_NULLABLE reason, size_t capacity);

    /* The handler is called on the control thread when transfers of a session may have changed, soon and
       not for each byte; it visits them. One for the process: setting replaces; null clears. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE set_transfer_handler)(
        const lull_host *host, void *LULL_NULLABLE context,
        void (*LULL_NULLABLE LULL_SENDABLE handler)(void *LULL_NULLABLE context, const char *session));

    /* The exit code of the program that the run of `task` stands for, 128 and more for a signal, as a shell
       has it: `lull launch` exits with it where the run fails. Before the task is completed. [any-thread] */
    void (*LULL_NULLABLE LULL_SENDABLE report_exit)(const lull_host *host, lull_task task, uint32_t code);
};

/* A set of bits. Since 1.3. */
typedef uint32_t lull_plugin_flags;
enum {
    /* Each run has a worker of its own, which ends with the run and with all that it has started: memory, processes and
       processor are measured and limited for each run, and no run's end costs another. For a plugin that starts programs. */
    LULL_PLUGIN_RUNS_ALONE = 1u << 0
};

/* The entry of a plugin. */
typedef struct lull_plugin {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;
    const char *sdk; /* the maker of this entry, e.g. "swift 0.1.0" or "c"; for messages only */

    /* Register every handler here, then return 0; any other value refuses to run, and the worker
       exits. `host` stays valid, at the same address, until the process ends. [main-thread] */
    int32_t (*start)(const lull_host *host);

    /* Begin the task and return; finish later through set_task_completed. [control-thread] */
    void (*launch)(const lull_launch *launch);

    /* Optional. Takes the main thread after `start` and never returns: a Swift plugin runs its
       main queue here. Null: the worker parks the main thread itself. [main-thread] */
    void (*LULL_NULLABLE run)(void);

    lull_plugin_flags flags; /* Since 1.3. */
    uint32_t reserved;       /* 0 */
} lull_plugin;

/* The one symbol that a plugin exports. */
extern LULL_EXPORT const lull_plugin lull_plugin_entry;

/* Declares what the settings in jobs.yaml may be, once in a plugin, at the top level of one file:

     LULL_SETTINGS_SCHEMA({
       "lull_settings": 1,
       "app": {
         "type": "object", "additionalProperties": false, "required": ["source"],
         "properties": { "source": { "type": "string", "format": "path", "description": "What is read" } }
       },
       "task": { "type": "object", "additionalProperties": false }
     });

   The JSON stands as it is, without quotes around it. `lull check`, the schema for editors and `lull plugin check` read
   it from the plugin's file; nothing of it is looked at while the plugin runs. docs/plugins.md says what it may hold. A
   text at most 64 KiB long. Works with every version of the interface. */
#ifdef __cplusplus
#define LULL_SETTINGS_SCHEMA(...) \
    extern "C" LULL_EXPORT const char lull_settings_schema[] = #__VA_ARGS__
#else
#define LULL_SETTINGS_SCHEMA(...) \
    extern LULL_EXPORT const char lull_settings_schema[]; \
    const char lull_settings_schema[] = #__VA_ARGS__
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#ifdef __cplusplus
}
#endif
#endif
