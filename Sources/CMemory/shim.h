// Owns the door from Swift to the settings of glibc's memory; empty with other libraries.
#ifndef CLOUDLET_MEMORY_H
#define CLOUDLET_MEMORY_H

#ifdef __linux__
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#endif

/// Takes blocks of so many bytes and more from the system, and gives them back when they are freed.
static inline void keep_blocks_apart(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

#endif
