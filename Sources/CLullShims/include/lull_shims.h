/* What Swift can't import: variadic and missing system calls. */
#ifndef LULL_SHIMS_H
#define LULL_SHIMS_H

#endif
