import CMemory

/// The settings of the system's library for this process.
package enum Memory {
    /// Gives large blocks back as soon as they are freed, for programs that serve many. By itself glibc comes
    /// to keep blocks of up to 32 MB for later use, in as many places as there are threads, and large answers
    /// and bodies would stay part of the process.
    package static func returnLargeBlocks() { keep_blocks_apart(largeBlock) }

    /// Bytes of a block that is worth two calls of the system.
    private static let largeBlock: Int32 = 1 << 20
}
