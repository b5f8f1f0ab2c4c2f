/* SHA-256 (FIPS 180-4) of a file. */
#ifndef MIRROR_DIGEST_H
#define MIRROR_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* No other library in the worker is to meet these names. */
#pragma GCC visibility push(hidden)

enum { DIGEST_BYTES = 32, DIGEST_TEXT = 65 };

typedef struct digest {
    uint32_t state[8];
    uint64_t length;
    uint8_t block[64];
} digest;

void digest_begin(digest *digest);
void digest_add(digest *digest, const void *bytes, size_t count);

/* Hexadecimal digits in lower case, and a NUL. */
void digest_end(digest *digest, char text[DIGEST_TEXT]);

#pragma GCC visibility pop

#endif
