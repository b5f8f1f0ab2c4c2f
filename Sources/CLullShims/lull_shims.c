#include "lull_shims.h"
