import NIOCore
import _NIOFileSystem

/// An open file that closes when the last reference to it is released, also when a download fails.
final class FileReader: AssetReader {
    let handle: ReadFileHandle

    init(handle: ReadFileHandle) {
        self.handle = handle
    }

    deinit {
        try? handle.detachUnsafeFileDescriptor().close()
    }

    /// Reads `length` bytes at `offset`, or fewer at the end of the file.
    func read(_ length: Int64, at offset: Int64) async throws -> ByteBuffer {
        try await translatingDiskErrors {
            try await handle.readChunk(fromAbsoluteOffset: offset, length: .bytes(length))
        }
    }
}

extension OpenOptions.Read {
    /// Opens only the file itself, and follows no symbolic link.
    static let withoutLinks = Self(followSymbolicLinks: false)
}
