#define _GNU_SOURCE
#include "lull_supervisor_shims.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* No number of a process is higher than this (PID_MAX_LIMIT). */
enum { HIGHEST = 4 << 20 };

/* Processes in the order in which they were found, each once. */
struct family {
    pid_t *members;
    size_t count, capacity;
    /* A bit for each number; the kernel gives only the pages that are touched. */
    unsigned char *known;
};

static void add(struct family *family, pid_t pid) {
    if (pid <= 0 || pid >= HIGHEST || family->known[pid / 8] & 1 << pid % 8) return;
    if (family->count == family->capacity) {
        size_t wanted = family->capacity ? family->capacity * 2 : 64;
        pid_t *grown = realloc(family->members, wanted * sizeof *grown);
        /* The next look may find it. */
        if (!grown) return;
        family->members = grown;
        family->capacity = wanted;
    }
    family->known[pid / 8] |= (unsigned char)(1 << pid % 8);
    family->members[family->count++] = pid;
}

/* Adds the children that one thread has made or inherited. 0; or an errno: the kernel does not tell, or it is gone. */
static int add_children_of_thread(struct family *family, pid_t pid, const char *thread) {
    char path[64], bytes[4096];
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    pid_t number = 0;
    for (ssize_t length; (length = read(file, bytes, sizeof bytes)) > 0;) {
        for (ssize_t i = 0; i < length; i++) {
            if (isdigit((unsigned char)bytes[i])) {
                number = number * 10 + (bytes[i] - '0');
            } else {
                add(family, number);
                number = 0;
            }
        }
    }
    close(file);
    return 0;
}

static void add_children(struct family *family, pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    if (!threads) return;
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (isdigit((unsigned char)entry->d_name[0])) add_children_of_thread(family, pid, entry->d_name);
    }
    closedir(threads);
}

static pid_t parent_of(const char *name) {
    char path[288], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char *end = strrchr(text, ')');
    /* ") S 4711 …" */
    return end && strlen(end) > 4 ? (pid_t)atoi(end + 4) : 0;
}

/* Where the kernel does not list children (CONFIG_PROC_CHILDREN): all processes of the machine and their parents. */
static void add_from_table(struct family *family, pid_t root) {
    for (size_t before = (size_t)-1; before != family->count;) {
        before = family->count;
        DIR *all = opendir("/proc");
        if (!all) return;
        for (struct dirent *entry; (entry = readdir(all));) {
            pid_t pid = (pid_t)atoi(entry->d_name);
            if (pid <= 0 || pid >= HIGHEST || family->known[pid / 8] & 1 << pid % 8) continue;
            pid_t parent = parent_of(entry->d_name);
            if (parent == root || (parent > 0 && parent < HIGHEST && family->known[parent / 8] & 1 << parent % 8))
                add(family, pid);
        }
        closedir(all);
    }
}

ssize_t lull_descendants(pid_t root, pid_t **found) {
    struct family family = {.members = NULL};
    family.known = mmap(NULL, HIGHEST / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (family.known == MAP_FAILED) return -errno;
    if (access("/proc/thread-self/children", R_OK) != 0) {
        add_from_table(&family, root);
    } else {
        add_children(&family, root);
        /* A process whose parent ends during the look is the root's child from then on. */
        for (size_t i = 0, settled = 0; i < family.count || settled != family.count;) {
            if (i < family.count) {
                add_children(&family, family.members[i++]);
            } else {
                settled = family.count;
                add_children(&family, root);
            }
        }
    }
    munmap(family.known, HIGHEST / 8);
    *found = family.members;
    return (ssize_t)family.count;
}
