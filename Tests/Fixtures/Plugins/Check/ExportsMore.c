/* It exports a function beside its entry point. */
#include "fixture.h"

int a_helper_that_should_be_static(void);
int a_helper_that_should_be_static(void) { return 1; }

FIXTURE(register_all, complete);
