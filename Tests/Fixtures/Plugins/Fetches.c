/*
 * A plugin that downloads many files, and is killed: `begin` orders `count` files (a setting), which are 0, 1 and so on below
 * `url`. At each launch and each change of a transfer it moves the finished files to `got/ORDINAL.FILE`.
 *
 * Into `notes` goes what must not be: `twice` was told of an end that had been told, `lost` is a file that was never handed
 * over, `failed` a transfer; and `told` each that is as it should be. Of those a kill may take away the line, not the file.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SESSION "fetches"

struct end {
    uint64_t transfer, ordinal;
    char name[16];
    char file[4096];
    int64_t status;
    bool was_taking;
};

struct ends {
    struct end *list;
    size_t count;
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *what, const struct end *end) {
    char path[4096], line[64];
    snprintf(path, sizeof path, "%s/notes", the_host->state_dir);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return;
    int length = snprintf(line, sizeof line, "%s %" PRIu64 "\n", what, end->ordinal);
    if (write(file, line, (size_t)length) != length) the_host->log(the_host, LULL_ERROR, "a note is lost");
    close(file);
}

static void visit(void *context, const lull_transfer_state *state) {
    struct ends *ends = context;
    if (state->phase < LULL_TRANSFER_FINISHED) return;
    struct end *list = realloc(ends->list, (ends->count + 1) * sizeof *list);
    if (list == NULL) return;
    ends->list = list;
    struct end *end = &list[ends->count++];
    *end = (struct end){.transfer = state->transfer, .ordinal = state->order->ordinal, .was_taking = state->was_taking};
    if (state->phase == LULL_TRANSFER_FINISHED) end->status = state->status;
    snprintf(end->name, sizeof end->name, "%s", state->order->label ? state->order->label : "");
    snprintf(end->file, sizeof end->file, "%s", state->file ? state->file : "");
}

static void move(const struct end *end) {
    char path[4096];
    snprintf(path, sizeof path, "%s/got", the_host->state_dir);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/got/%" PRIu64 ".%s", the_host->state_dir, end->ordinal, end->name);
    if (end->status != 200) {
        note("failed", end);
    } else if (renameat2(AT_FDCWD, end->file, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        note("told", end);
    } else if (errno == EEXIST) {
        note("twice", end);
    } else if (errno != ENOENT || !end->was_taking) {
        note("lost", end);
    }
}

static void take_all(void) {
    struct ends ends = {NULL, 0};
    pthread_mutex_lock(&one_at_a_time);
    the_host->transfers(the_host, SESSION, &ends, visit);
    for (size_t i = 0; i < ends.count; i++) {
        const struct end *end = &ends.list[i];
        if (the_host->act_on_transfer(the_host, end->transfer, LULL_TRANSFER_TAKING, NULL, 0) != LULL_OK) continue;
        move(end);
        the_host->act_on_transfer(the_host, end->transfer, LULL_TRANSFER_TAKEN, NULL, 0);
    }
    pthread_mutex_unlock(&one_at_a_time);
    free(ends.list);
}

static void nothing(void *context, const lull_transfer_state *state) {
    (void)context;
    (void)state;
}

static bool ask_for_all(void) {
    char base[1024], count[16], url[1100], label[16], reason[512];
    if (the_host->setting(the_host, 0, "/url", base, sizeof base) < 0) return false;
    if (the_host->setting(the_host, 0, "/count", count, sizeof count) < 0) return false;
    uint64_t ordinal = the_host->transfers(the_host, SESSION, NULL, nothing);
    for (int i = 0; ordinal != 0 && i < atoi(count); i++) {
        uint64_t number;
        snprintf(url, sizeof url, "%s%d", base, i);
        snprintf(label, sizeof label, "%d", i);
        lull_transfer_order order = {.size = sizeof order, .session = SESSION, .ordinal = ordinal++, .url = url, .label = label};
        order.expected_to_send = order.expected_to_receive = -1;
        if (the_host->transfer(the_host, &order, &number, reason, sizeof reason) == LULL_OK) continue;
        the_host->log(the_host, LULL_ERROR, reason);
        return false;
    }
    return ordinal != 0;
}

static void changed(void *context, const char *session) {
    (void)context;
    (void)session;
    take_all();
}

static void *begin(void *context) {
    take_all();
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)context, ask_for_all());
    return NULL;
}

static void *look(void *context) {
    take_all();
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)context, true);
    return NULL;
}

/* Taking many files takes longer than `launch` may. */
static void launch(const lull_launch *launch) {
    the_host->set_transfer_handler(the_host, NULL, changed);
    on_thread(is_task(launch, "begin") ? begin : look, launch->task);
}

FIXTURE(register_all, launch);
