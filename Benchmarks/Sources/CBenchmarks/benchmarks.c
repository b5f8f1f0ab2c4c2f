#include "benchmarks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <yaml.h>

int64_t benchmarks_count_yaml_events(const unsigned char *text, size_t count) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return -1;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, text, count);
    int64_t events = 0;
    int isOver = 0;
    while (!isOver) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            events = -1;
            break;
        }
        isOver = event.type == YAML_STREAM_END_EVENT;
        events++;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return events;
}

static int read_all(int descriptor, char *bytes, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t count = read(descriptor, bytes + got, size - got);
        if (count == 0 || (count < 0 && errno != EINTR)) return -1;
        if (count > 0) got += (size_t)count;
    }
    return 0;
}

static int write_all(int descriptor, const char *bytes, size_t size) {
    for (size_t sent = 0; sent < size;) {
        ssize_t count = write(descriptor, bytes + sent, size - sent);
        if (count < 0 && errno != EINTR) return -1;
        if (count > 0) sent += (size_t)count;
    }
    return 0;
}

void benchmarks_echo(int descriptor, size_t size) {
    char bytes[4096];
    while (size <= sizeof bytes && read_all(descriptor, bytes, size) == 0) {
        if (write_all(descriptor, bytes, size) != 0) return;
    }
}

int benchmarks_round_trips(int descriptor, size_t size, int64_t times) {
    char bytes[4096] = {0};
    if (size > sizeof bytes) return -1;
    for (int64_t i = 0; i < times; i++) {
        if (write_all(descriptor, bytes, size) != 0 || read_all(descriptor, bytes, size) != 0) return -1;
    }
    return 0;
}

struct benchmarks_stamps {
    _Atomic uint32_t count;
    uint32_t capacity;
    int64_t times[];
};

benchmarks_stamps *benchmarks_stamps_make(const char *path, uint32_t capacity) {
    size_t size = sizeof(benchmarks_stamps) + capacity * sizeof(int64_t);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return NULL;
    void *memory = MAP_FAILED;
    if (ftruncate(file, (off_t)size) == 0) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    if (memory == MAP_FAILED) return NULL;
    benchmarks_stamps *stamps = memory;
    stamps->capacity = capacity;
    return stamps;
}

void benchmarks_stamps_clear(benchmarks_stamps *stamps) {
    for (uint32_t i = 0; i < stamps->capacity; i++) stamps->times[i] = 0;
    atomic_store(&stamps->count, 0);
}

uint32_t benchmarks_stamps_count(const benchmarks_stamps *stamps) {
    uint32_t count = atomic_load(&((benchmarks_stamps *)stamps)->count);
    return count < stamps->capacity ? count : stamps->capacity;
}

int64_t benchmarks_stamps_at(const benchmarks_stamps *stamps, uint32_t index) {
    return index < stamps->capacity ? stamps->times[index] : 0;
}
