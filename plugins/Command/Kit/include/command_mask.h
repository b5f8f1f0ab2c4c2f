#ifndef COMMAND_MASK_H
#define COMMAND_MASK_H

#include "command_settings.h"

/* Hides secrets in a stream: each run of bytes that belong to one becomes `***`.
 *
 * A secret may be cut anywhere over the pieces of the stream. So what may be the beginning of one is kept back until
 * the stream goes on or ends. Secrets that overlap are hidden whole. One shorter than COMMAND_MASK_LEAST is not hidden:
 * it would be in half of what is printed, and the gaps would say what it is. */
typedef struct command_mask command_mask;

enum { COMMAND_MASK_LEAST = 4 };

/* Null: none of them is hidden. */
command_mask *command_mask_make(const command_secret *secrets, size_t count);
void command_mask_free(command_mask *mask);

/* The next piece of the stream as it may be shown, until the next call; `shown`: how many bytes. `is_last`: nothing is
   kept back. */
const char *command_mask_pass(command_mask *mask, const char *bytes, size_t count, bool is_last, size_t *shown);

#endif
