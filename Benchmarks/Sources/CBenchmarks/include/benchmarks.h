#ifndef LULL_BENCHMARKS_H
#define LULL_BENCHMARKS_H

#include <stddef.h>
#include <stdint.h>

/* Runs libyaml's bare event loop over `text`: returns the number of events, or -1 if it is no YAML. */
int64_t benchmarks_count_yaml_events(const unsigned char *text, size_t count);

/* Answers each `size` bytes from `descriptor` with the same bytes, until the other side closes. */
void benchmarks_echo(int descriptor, size_t size);

/* Sends `size` bytes and waits for the answer, `times` times; 0, or -1 if the other side has closed. */
int benchmarks_round_trips(int descriptor, size_t size, int64_t times);

/* A file of launch times that a plugin in another process writes into; see Plugins/NoOp.c. */
typedef struct benchmarks_stamps benchmarks_stamps;
benchmarks_stamps *benchmarks_stamps_make(const char *path, uint32_t capacity);
void benchmarks_stamps_clear(benchmarks_stamps *stamps);
uint32_t benchmarks_stamps_count(const benchmarks_stamps *stamps);
/* Nanoseconds on CLOCK_MONOTONIC. */
int64_t benchmarks_stamps_at(const benchmarks_stamps *stamps, uint32_t index);

/* Starts `count` threads that do nothing: nanoseconds until the last has begun, or -1. */
int64_t benchmarks_start_threads(uint32_t count);

/* Starts `count` processes of `path` without arguments: nanoseconds until the last has ended, or -1. */
int64_t benchmarks_start_processes(const char *path, uint32_t count);

/* Starts `/bin/sh -c command` `count` times, one after another, and waits for all: nanoseconds, or -1 if one failed. */
int64_t benchmarks_start_commands(const char *command, uint32_t count);

/* Runs `/bin/sh -c command` once and reads all its output: nanoseconds, or -1. */
int64_t benchmarks_read_output(const char *command);

/* From now on a signal that ends this process kills `child` first; 0: no child. */
void benchmarks_end_with_me(int32_t child);

#endif
