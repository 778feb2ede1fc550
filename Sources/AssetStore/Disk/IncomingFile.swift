import Crypto
import NIOCore
import _NIOFileSystem

/// Writes, counts and hashes at once. Used by one task; ends with `finish` or `discard`.
final class IncomingFile {
    private let path: FilePath
    private let handle: WriteFileHandle
    private var hash = SHA256()
    /// Small pieces are gathered, so that the disk sees few and large writes.
    private var gathered = ByteBuffer()
    private static let writeLength = 256 * 1024

    /// Bytes taken so far.
    private(set) var size: Int64 = 0

    init(path: FilePath) async throws {
        self.path = path
        let new = OpenOptions.NewFile(permissions: .ownerReadWrite, transactionalCreation: false)
        handle = try await FileSystem.shared.openFile(
            forWritingAt: path,
            options: OpenOptions.Write(existingFile: .none, newFile: new)
        )
    }

    /// Of everything taken so far.
    var checksum: AssetChecksum {
        AssetChecksum(hash.finalize())
    }

    func write(_ buffer: ByteBuffer) async throws {
        buffer.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        size += Int64(buffer.readableBytes)
        gathered.writeImmutableBuffer(buffer)
        if gathered.readableBytes >= Self.writeLength { try await flush() }
    }

    /// Brings the bytes to disk, then gives the file its name: a file of that name is whole. Answers how the
    /// file looks at the end.
    func finish(as name: FilePath, isDurable: Bool) async throws -> KnownContent.Sight {
        try await flush()
        let seen = try await handle.withUnsafeDescriptor { [path] file in
            try Disk.age(file)
            if isDurable { try Disk.synchronize(file) }
            try Disk.move(path, to: name)
            return try Disk.look(at: file)
        }
        try await handle.close()
        return seen
    }

    /// Leaves nothing behind. Does not suspend, so that it also works in a task that was cancelled.
    func discard() {
        try? handle.detachUnsafeFileDescriptor().close()
        try? Disk.remove(path)
    }

    private func flush() async throws {
        try await handle.write(contentsOf: gathered, toAbsoluteOffset: size - Int64(gathered.readableBytes))
        gathered.clear(minimumCapacity: Self.writeLength)
    }
}
