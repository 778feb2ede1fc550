import CMemory

/// Settings of the C library's memory allocator for this process.
package enum Memory {
    /// Returns large blocks to the system as soon as they are freed, for programs that serve many clients. By
    /// default glibc keeps blocks of up to 32 MB for later use, in as many arenas as there are threads, so
    /// that large answers and bodies would stay part of the process.
    package static func returnLargeBlocks() { set_mmap_threshold(largeBlock) }

    /// Size in bytes from which a block is worth two system calls.
    private static let largeBlock: Int32 = 1 << 20
}
