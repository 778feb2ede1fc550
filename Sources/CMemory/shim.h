// Gives Swift access to the settings of glibc's memory allocator; empty with other C libraries.
#ifndef CLOUDLET_MEMORY_H
#define CLOUDLET_MEMORY_H

#ifdef __linux__
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#endif

/// Allocates blocks of at least `bytes` bytes directly from the system, so that freeing them returns the
/// memory.
static inline void set_mmap_threshold(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

/// Keeps up to `bytes` bytes of freed memory at the end of each arena for later blocks.
static inline void set_trim_threshold(int bytes) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, bytes);
#endif
}

#endif
