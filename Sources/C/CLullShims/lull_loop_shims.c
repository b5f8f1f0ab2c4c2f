#include "lull_loop_shims.h"

#include <sys/timex.h>

int lull_clock_is_synchronised(void) {
    struct timex clock = {0};
    int state = adjtimex(&clock);
    return state >= 0 && state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}
