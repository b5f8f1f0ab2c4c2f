/*
 * A plugin with transfers:
 *
 *   download   orders a download with every field of an order, and logs the answer
 *   upload     orders an upload of the file `upload` in its state folder, deletes it, and logs the answer
 *   bad        orders impossible transfers, and logs the answers
 *   visit      logs its transfers, and the next ordinal
 *   act        acts on transfer 17 and answers its challenge
 *   watch      logs the sessions that have news from then on
 *   transfers  logs the sessions that it was launched for
 */
#include "fixture.h"

#include <inttypes.h>
#include <unistd.h>

static void say(const char *line) { the_host->log(the_host, LULL_INFO, line); }

static void ask(const lull_transfer_order *order) {
    char reason[512], line[640];
    uint64_t number = 99;
    lull_status status = the_host->transfer(the_host, order, &number, reason, sizeof reason);
    snprintf(line, sizeof line, "status %d, transfer %" PRIu64 ", %s", (int)status, number, reason);
    say(line);
}

static void visit(void *context, const lull_transfer_state *state) {
    char line[1024];
    const lull_transfer_order *order = state->order;
    snprintf(line, sizeof line, "%" PRIu64 ": phase %u, %s %s, %zu headers, body %zu, label %s, file %s, %" PRId64 " of %" PRId64
             ", status %" PRId64 " %s, %zu headers, %s, %" PRId64 " %s, challenge %u %s",
             state->transfer, state->phase, order->method ? order->method : "-", order->url, order->header_count,
             order->body_size, order->label ? order->label : "-", state->file ? strrchr(state->file, '/') : "-",
             state->received, state->to_receive, state->status, state->url ? state->url : "-", state->header_count,
             state->was_taking ? "was taking" : "new", state->code, state->sentence ? state->sentence : "-",
             state->challenge, state->challenge_host ? state->challenge_host : "-");
    say(line);
    ++*(int *)context;
}

static void changed(void *context, const char *session) {
    char line[320];
    snprintf(line, sizeof line, "news of %s, %d", session, *(int *)context);
    say(line);
}

static void act(const char *name, lull_status status) {
    char line[128];
    snprintf(line, sizeof line, "%s: %d", name, (int)status);
    say(line);
}

static void launch(const lull_launch *launch) {
    static int number = 7;
    static const lull_header headers[] = {{"Accept", "text/plain"}, {"X-Empty", ""}};
    lull_transfer_order order = {.size = sizeof order, .session = "mirror", .ordinal = 1};
    order.url = "https://example.org/file";
    order.expected_to_send = order.expected_to_receive = -1;
    if (is_task(launch, "download")) {
        order.method = "POST";
        order.headers = headers;
        order.header_count = 2;
        order.body = "a\0b";
        order.body_size = 3;
        order.label = "mine";
        order.flags = LULL_TRANSFER_DISCRETIONARY | LULL_TRANSFER_NOT_EXPENSIVE | LULL_TRANSFER_ASKS;
        order.earliest_begin_unix_ns = 1500000;
        order.expected_to_receive = 500;
        order.idle_limit_ms = 1000;
        order.whole_limit_ms = 2000;
        order.resumes = 3;
        ask(&order);
    }
    if (is_task(launch, "upload")) {
        char path[4096];
        snprintf(path, sizeof path, "%s/upload", the_host->state_dir);
        order.direction = LULL_TRANSFER_UPLOAD;
        order.file = path;
        ask(&order);
        unlink(path);
    }
    if (is_task(launch, "bad")) {
        order.size = 8;
        ask(&order);
        order.size = sizeof order;
        order.url = "ftp://example.org/file";
        ask(&order);
        order.url = "https://example.org/file";
        order.direction = 9;
        ask(&order);
        order.direction = LULL_TRANSFER_UPLOAD;
        ask(&order);
        order.file = "/nowhere/at/all";
        ask(&order);
        order.file = "/dev/null";
        ask(&order);
    }
    if (is_task(launch, "visit")) {
        char line[64];
        int count = 0;
        uint64_t next = the_host->transfers(the_host, "mirror", &count, visit);
        snprintf(line, sizeof line, "%d transfers, next %" PRIu64, count, next);
        say(line);
    }
    if (is_task(launch, "act")) {
        act("taking", the_host->act_on_transfer(the_host, 17, LULL_TRANSFER_TAKING, NULL, 0));
        act("unknown", the_host->act_on_transfer(the_host, 17, 77, NULL, 0));
        act("credential", the_host->answer_challenge(the_host, 17, LULL_ANSWER_CREDENTIAL, "user", "word", NULL, 0));
        act("bad", the_host->answer_challenge(the_host, 17, LULL_ANSWER_CREDENTIAL, "us\ner", "word", NULL, 0));
        act("odd", the_host->answer_challenge(the_host, 17, 77, NULL, NULL, NULL, 0));
    }
    if (is_task(launch, "watch")) the_host->set_transfer_handler(the_host, &number, changed);
    if (is_task(launch, "transfers")) say(launch->origin ? launch->origin : "no origin");
    complete(launch);
}

FIXTURE(register_all, launch);
