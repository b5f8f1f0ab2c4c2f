/* The work of a run: a task requests downloads, and APP.transfers takes those that are over. */
#define _GNU_SOURCE
#include "mirror.h"
#include "mirror_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool act(struct run *run, const struct transfer *transfer, lull_transfer_act act)
{
    char reason[1024] = "";
    if (host->act_on_transfer(host, transfer->number, act, reason, sizeof reason) == LULL_OK)
        return true;
    say(run, LULL_ERROR, "the host did not take down what became of t%llu: %s",
        (unsigned long long)transfer->number, reason);
    return false;
}

/* Whether the file has the digest that the settings name; one that can't be read has not. */
static bool is_right(struct run *run, const struct transfer *transfer, const struct purpose *purpose)
{
    char digest[65];
    if (purpose->sha256[0] == '\0')
        return true;
    int error = file_digest(transfer->file, digest, has_expired, run);
    /* An earlier run has checked it and brought it to its place. */
    if (error == ENOENT && transfer->was_taking)
        return true;
    if (error != 0) {
        say(run, LULL_ERROR, "what came for \"%s\" can't be read: %s", purpose->to, strerror(error));
        return false;
    }
    if (strcmp(digest, purpose->sha256) == 0)
        return true;
    say(run, LULL_ERROR,
        "what came for \"%s\" is not what \"sha256\" in the settings says, but %s. The file stays as it was.",
        purpose->to, digest);
    return false;
}

static bool place(struct run *run, const struct transfer *transfer, const struct purpose *purpose)
{
    char cause[CAUSE_BYTES], ready[PATH_BYTES + 16];
    bool is_same;
    snprintf(ready, sizeof ready, "%s.new", purpose->to);
    if (access(transfer->file, F_OK) != 0 && transfer->was_taking && access(ready, F_OK) != 0)
        return true; /* an earlier run had put it there, and could not say so any more */
    if (!is_right(run, transfer, purpose))
        return false;
    if (!file_place(transfer->file, purpose->to, purpose->keep, &is_same, cause, has_expired, run)) {
        say(run, LULL_ERROR, "%s.", cause);
        return false;
    }
    write_version(purpose->to, transfer);
    say(run, LULL_INFO, is_same ? "\"%s\" is as it was" : "\"%s\" is new", purpose->to);
    return true;
}

/* Handles a transfer that is over; false: it did not bring the file. */
static bool finish(struct run *run, const struct transfer *transfer)
{
    struct purpose purpose;
    if (!read_purpose(transfer->label, &purpose)) {
        say(run, LULL_WARNING, "t%llu is for nothing that this version of Mirror knows",
            (unsigned long long)transfer->number);
        return true;
    }
    if (transfer->phase == LULL_TRANSFER_CANCELLED) {
        say(run, LULL_NOTICE, "the download of \"%s\" was cancelled", purpose.to);
        return true;
    }
    if (transfer->phase == LULL_TRANSFER_FAILED) {
        say(run, LULL_ERROR, "\"%s\" did not come: %s", purpose.to,
            transfer->sentence != NULL ? transfer->sentence : "nobody says why");
        return false;
    }
    if (transfer->status == 304) {
        say(run, LULL_INFO, "\"%s\" has not changed", purpose.to);
        return true;
    }
    if (transfer->status != 200 || transfer->file == NULL) {
        say(run, LULL_ERROR,
            "the server answered %lld for \"%s\", which stays as it was. Correct \"url\" in the settings.",
            (long long)transfer->status, purpose.to);
        return false;
    }
    return place(run, transfer, &purpose);
}

/* Whether no file comes of it any more. */
static bool is_lost(const struct transfer *transfer)
{
    return transfer->phase == LULL_TRANSFER_FAILED || transfer->phase == LULL_TRANSFER_CANCELLED;
}

static bool is_over(const struct transfer *transfer)
{
    return transfer->phase == LULL_TRANSFER_FINISHED || is_lost(transfer);
}

/* 0: the host did not answer. */
static uint64_t look(struct run *run, struct transfer **list)
{
    uint64_t ordinal = visit_all(list);
    if (ordinal == 0)
        say(run, LULL_ERROR, "the host did not say how the transfers are");
    return ordinal;
}

bool take_all(struct run *run)
{
    struct transfer *list;
    if (look(run, &list) == 0)
        return false;
    bool is_well = true;
    for (struct transfer *each = list; each != NULL; each = each->next) {
        if (!is_over(each))
            continue;
        /* The rest stays for the next run. */
        if (has_expired(run)) {
            is_well = false;
            break;
        }
        if (!act(run, each, LULL_TRANSFER_TAKING)) {
            is_well = false;
            continue;
        }
        bool is_done = finish(run, each);
        /* A run that was stopped in the middle may succeed the next time. */
        if (!is_done && has_expired(run)) {
            is_well = false;
            break;
        }
        is_well = act(run, each, LULL_TRANSFER_TAKEN) && is_done && is_well;
    }
    free_all(list);
    return is_well;
}

/* The texts of one file of the settings; false: there is none at this place. */
struct wish {
    char *url, *to, *sha256;
};

static bool read_wish(lull_task whose, unsigned index, struct wish *wish)
{
    static const char *const keys[] = {"url", "to", "sha256"};
    char *values[3];
    for (int i = 0; i < 3; i++) {
        char pointer[48];
        snprintf(pointer, sizeof pointer, "/files/%u/%s", index, keys[i]);
        values[i] = setting(whose, pointer);
    }
    *wish = (struct wish){values[0], values[1], values[2]};
    return wish->url != NULL || wish->to != NULL || wish->sha256 != NULL;
}

static void free_wish(const struct wish *wish)
{
    free(wish->url);
    free(wish->to);
    free(wish->sha256);
}

/* The file's transfer; one that has finished waits for APP.transfers. */
static const struct transfer *on_its_way(const struct transfer *list, const char *to)
{
    struct purpose purpose;
    for (; list != NULL; list = list->next)
        if (!is_lost(list) && read_purpose(list->label, &purpose) && strcmp(purpose.to, to) == 0)
            return list;
    return NULL;
}

/* A session for each server: the host tells of one once all of it has ended, and a server that does not answer has it wait for
 * days. The user's name and password stay out. */
static void name_session(const char *url, char name[SESSION_BYTES])
{
    const char *server = strstr(url, "://");
    server = server == NULL ? url : server + 3;
    size_t length = strcspn(server, "/?#");
    const char *user = memrchr(server, '@', length);
    if (user != NULL) {
        length -= (size_t)(user + 1 - server);
        server = user + 1;
    }
    if (length >= SESSION_BYTES)
        length = SESSION_BYTES - 1;
    memcpy(name, server, length);
    name[length] = '\0';
}

/* Requests the file if it is newer than the version here; if there is none here, in any case. */
static bool ask_for(struct run *run, const struct wish *wish, unsigned keep, uint64_t ordinal)
{
    char label[PATH_BYTES + 96], session[SESSION_BYTES], reason[1024] = "";
    struct version version;
    name_session(wish->url, session);
    lull_header headers[2];
    size_t count = 0;
    if (access(wish->to, F_OK) == 0 && read_version(wish->to, &version)
        && strcmp(version.url, wish->url) == 0) {
        if (version.etag[0] != '\0')
            headers[count++] = (lull_header){"If-None-Match", version.etag};
        if (version.modified[0] != '\0')
            headers[count++] = (lull_header){"If-Modified-Since", version.modified};
    }
    if (snprintf(label, sizeof label, "%u %s %s", keep, wish->sha256 != NULL ? wish->sha256 : "-", wish->to)
        >= (int)sizeof label) {
        say(run, LULL_ERROR, "the path \"%.64s…\" is too long", wish->to);
        return false;
    }
    lull_transfer_order order = {
        .size = sizeof order, .direction = LULL_TRANSFER_DOWNLOAD, .session = session,
        .ordinal = ordinal, .url = wish->url, .headers = headers, .header_count = count, .label = label,
        .expected_to_send = -1, .expected_to_receive = -1,
    };
    uint64_t number = 0;
    if (host->transfer(host, &order, &number, reason, sizeof reason) != LULL_OK) {
        say(run, LULL_ERROR, "\"%s\" can't be asked for: %s", wish->to, reason);
        return false;
    }
    say(run, LULL_INFO, "asked for \"%s\" (t%llu)", wish->to, (unsigned long long)number);
    return true;
}

bool ask_for_all(struct run *run)
{
    struct transfer *list;
    uint64_t ordinal = look(run, &list);
    if (ordinal == 0)
        return false;
    /* The task's own list, or else the app's. */
    struct wish wish;
    lull_task whose = read_wish(run->task, 0, &wish) ? run->task : 0;
    free_wish(&wish);
    char *text = setting(run->task, "/keep");
    if (text == NULL)
        text = setting(0, "/keep");
    unsigned keep = text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
    free(text);

    bool is_well = true;
    unsigned index = 0;
    for (; !has_expired(run) && read_wish(whose, index, &wish); index++) {
        const struct transfer *other = wish.to != NULL ? on_its_way(list, wish.to) : NULL;
        if (wish.url == NULL || wish.to == NULL || wish.to[0] != '/') {
            say(run, LULL_ERROR,
                "file %u of the settings has no \"url\" and \"to\", which is an absolute path", index + 1);
            is_well = false;
        } else if (other != NULL) {
            say(run, LULL_INFO, "\"%s\" is on its way (t%llu)", wish.to, (unsigned long long)other->number);
        } else if (!ask_for(run, &wish, keep > 100 ? 100 : keep, ordinal++)) {
            is_well = false;
        }
        free_wish(&wish);
    }
    if (index == 0) {
        say(run, LULL_ERROR, "there is no file to keep. List them in the settings, under \"files\".");
        is_well = false;
    }
    free_all(list);
    return is_well && !has_expired(run);
}
