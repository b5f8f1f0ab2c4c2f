/* The same as LeavesChildren, but each run has a separate worker. */
#define FIXTURE_FLAGS LULL_PLUGIN_RUNS_ALONE
#include "LeavesChildren.c"
