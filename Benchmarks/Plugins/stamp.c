/*
 * A command for `Benchmarks/run commands`: writes its begin time into a mapped file, as NoOp.c does, and prints a line for the
 * run's output.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct stamps {
    _Atomic uint32_t count;
    uint32_t capacity;
    int64_t times[];
};

int main(int count, char **arguments) {
    struct timespec now;
    struct stat status;
    static const char line[] = "stamped\n";
    clock_gettime(CLOCK_MONOTONIC, &now);
    int file = count == 2 ? open(arguments[1], O_RDWR | O_CLOEXEC) : -1;
    if (file < 0 || fstat(file, &status) != 0) return 1;
    struct stamps *stamps = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (stamps == MAP_FAILED) return 1;
    uint32_t index = atomic_fetch_add(&stamps->count, 1);
    if (index < stamps->capacity) stamps->times[index] = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    return write(STDOUT_FILENO, line, sizeof line - 1) < 0;
}
