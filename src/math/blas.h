/* The BLAS that is loaded: its version, for --version and the provenance of results. */
#ifndef XS_MATH_BLAS_H
#define XS_MATH_BLAS_H

/* Name, version and build of the BLAS in use: "OpenBLAS 0.3.21 ... Haswell ...". */
const char *xs_blas_version(void);

#endif
