/* OpenBLAS says at run time which version it is and which processor's kernels it picked. */
#include "math/blas.h"

#include <cblas.h>

const char *xs_blas_version(void) { return openblas_get_config(); }
