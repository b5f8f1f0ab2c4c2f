#ifndef LULL_CYAML_SHIM_H
#define LULL_CYAML_SHIM_H

#include <yaml.h>

#endif
