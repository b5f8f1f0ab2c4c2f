/* The same as LeavesChildren, and each run has a worker of its own. */
#define FIXTURE_FLAGS LULL_PLUGIN_RUNS_ALONE
#include "LeavesChildren.c"
