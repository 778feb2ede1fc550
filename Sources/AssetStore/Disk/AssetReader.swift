import NIOCore
import _NIOFileSystem

/// Closes the file when the last reader lets go, in whatever way a download ends.
final class AssetReader: Sendable {
    let handle: ReadFileHandle

    init(handle: ReadFileHandle) {
        self.handle = handle
    }

    deinit {
        try? handle.detachUnsafeFileDescriptor().close()
    }

    /// Fewer bytes than asked for only at the end of the file.
    func read(_ length: Int64, at offset: Int64) async throws -> ByteBuffer {
        try await translatingDiskErrors {
            try await handle.readChunk(fromAbsoluteOffset: offset, length: .bytes(length))
        }
    }
}
