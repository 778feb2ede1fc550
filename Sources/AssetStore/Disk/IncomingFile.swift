import Crypto
import NIOCore
import _NIOFileSystem

/// A file that is being received. It counts and hashes the bytes while it writes them. One task uses it, and
/// ends with `finish` or `discard`.
final class IncomingFile {
    private let path: FilePath
    private let handle: WriteFileHandle
    private var hash = SHA256()
    /// Collects small pieces into fewer and larger writes.
    private var gathered = ByteBuffer()
    private static let writeLength = 256 * 1024

    /// The number of bytes received so far.
    private(set) var size: Int64 = 0

    init(path: FilePath) async throws {
        self.path = path
        let new = OpenOptions.NewFile(permissions: .ownerReadWrite, transactionalCreation: false)
        handle = try await FileSystem.shared.openFile(
            forWritingAt: path,
            options: OpenOptions.Write(existingFile: .none, newFile: new)
        )
    }

    /// The checksum of the bytes received so far.
    var checksum: AssetChecksum {
        AssetChecksum(hash.finalize())
    }

    func write(_ buffer: ByteBuffer) async throws {
        buffer.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        size += Int64(buffer.readableBytes)
        gathered.writeImmutableBuffer(buffer)
        if gathered.readableBytes >= Self.writeLength { try await flush() }
    }

    /// Flushes the bytes if `isDurable`, renames the file to `name`, and returns the file's attributes. A
    /// file with that name is therefore complete.
    func finish(as name: FilePath, isDurable: Bool) async throws -> VerifiedFiles.Attributes {
        try await flush()
        let seen = try await handle.withUnsafeDescriptor { [path] file in
            try Disk.backdate(file)
            if isDurable { try Disk.synchronize(file) }
            try Disk.move(path, to: name)
            return try Disk.attributes(of: file)
        }
        try await handle.close()
        return seen
    }

    /// Closes and removes the file. It does not suspend, so it also works in a cancelled task.
    func discard() {
        try? handle.detachUnsafeFileDescriptor().close()
        try? Disk.remove(path)
    }

    private func flush() async throws {
        try await handle.write(contentsOf: gathered, toAbsoluteOffset: size - Int64(gathered.readableBytes))
        gathered.clear(minimumCapacity: Self.writeLength)
    }
}
