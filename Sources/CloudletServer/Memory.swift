import CMemory

/// Settings of the C library's memory allocator for this process.
package enum Memory {
    /// Returns large blocks to the system as soon as they are freed, for programs that serve many clients. By
    /// default glibc keeps blocks of up to 32 MB for later use, in as many arenas as there are threads, so
    /// that large answers and bodies would stay part of the process.
    ///
    /// Once the size of large blocks is set, glibc would keep only 128 KB at the end of an arena, and most
    /// answers would be built in memory that the system has just taken back and has to clear again.
    package static func returnLargeBlocks() {
        set_mmap_threshold(largeBlock)
        set_trim_threshold(keptBytes)
    }

    /// Size in bytes from which a block is worth two system calls.
    private static let largeBlock: Int32 = 1 << 20
    /// Bytes that an arena keeps. There are at most eight arenas for each processor.
    private static let keptBytes: Int32 = 4 << 20
}
