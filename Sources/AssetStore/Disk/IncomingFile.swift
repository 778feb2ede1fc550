import NIOCore
import Records
import _NIOFileSystem

/// A file that is being received.
final class IncomingFile: IncomingAsset {
    private let uploadID: String
    private let layout: AssetLayout
    private let isDurable: Bool
    private let handle: WriteFileHandle
    /// Collects small pieces into fewer and larger writes.
    private var gathered = ByteBuffer()
    /// The number of bytes that are in the file.
    private var written: Int64 = 0
    private static let writeLength = 256 * 1024

    init(_ uploadID: String, in layout: AssetLayout, isDurable: Bool) async throws {
        self.uploadID = uploadID
        self.layout = layout
        self.isDurable = isDurable
        let new = OpenOptions.NewFile(permissions: .ownerReadWrite, transactionalCreation: false)
        handle = try await FileSystem.shared.openFile(
            forWritingAt: layout.partial(uploadID),
            options: OpenOptions.Write(existingFile: .none, newFile: new)
        )
    }

    func write(_ buffer: ByteBuffer) async throws {
        gathered.writeImmutableBuffer(buffer)
        if gathered.readableBytes >= Self.writeLength { try await flush() }
    }

    /// Flushes the bytes if the store is durable, and gives the file its final name. A file with that name is
    /// therefore complete.
    func finish(as content: AssetChecksum) async throws -> VerifiedFiles.Attributes {
        try await translatingDiskErrors {
            try await flush()
            let (partial, name) = (layout.partial(uploadID), layout.received(uploadID, content))
            let seen = try await handle.withUnsafeDescriptor { [isDurable] file in
                try Disk.backdate(file)
                if isDurable { try Disk.synchronize(file) }
                try Disk.move(partial, to: name)
                return try Disk.attributes(of: file)
            }
            try await handle.close()
            return seen
        }
    }

    func discard() async {
        let file = try? handle.detachUnsafeFileDescriptor()
        try? await BlockingWork.run { [layout, uploadID] in
            try? file?.close()
            try Disk.remove(layout.partial(uploadID))
        }
    }

    private func flush() async throws {
        try await translatingDiskErrors {
            let length = try await handle.write(contentsOf: gathered, toAbsoluteOffset: written)
            written += length
        }
        gathered.clear(minimumCapacity: Self.writeLength)
    }
}
