/* How much memory there is for this process. */
#ifndef XS_BASE_MEMORY_H
#define XS_BASE_MEMORY_H

/* Bytes that it may take: the least of the machine's memory, its limit of addresses (ulimit -v) and
 * that of its control group (version 2), as of a container or of a job on a cluster. */
double xs_memory_limit(void);

#endif
