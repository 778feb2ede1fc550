import NIOCore
import _NIOFileSystem

/// An open file that is closed when the last reference to this object is released, also if a download fails.
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
    /// Fails if the path is a symbolic link.
    static let noFollow = Self(followSymbolicLinks: false)
}
