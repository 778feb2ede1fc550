import Records
import _NIOFileSystem

/// The files of one database in a folder, for one process at a time.
package struct DiskStorage: AssetStorage {
    let layout: AssetLayout
    /// Whether an upload's bytes are flushed to disk before `receive` returns, and its name in `content/`
    /// before `adopt` returns.
    let isDurable: Bool

    /// - Parameters:
    ///   - folder: The folder. It is created with the first file.
    ///   - isDurable: false for stores that do not outlive the process.
    package init(folder: String, isDurable: Bool = true) {
        layout = AssetLayout(folder: FilePath(folder))
        self.isDurable = isDurable
    }

    package var uploadPrefix: String { "" }
    package var isShared: Bool { false }
    package var keepsOpenFiles: Bool { true }

    package func begin(_ uploadID: String) async throws -> any IncomingAsset {
        try await translatingDiskErrors {
            try prepareFolders()
            return try await IncomingFile(uploadID, in: layout, isDurable: isDurable)
        }
    }

    package func offer(_ content: AssetChecksum, as uploadID: String) async throws -> Bool {
        try await translatingDiskErrors {
            try await BlockingWork.run { [self] in
                try prepareFolders()
                return try Disk.addNewName(layout.received(uploadID, content), to: layout.path(of: content))
            }
        }
    }

    package func adopt(
        _ upload: ReceivedUpload, _ content: AssetChecksum, isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws -> VerifiedFiles.Attributes? {
        try await translatingDiskErrors { try await link(upload, content, isKnown) }
        // The content is the same file as the upload.
        return nil
    }

    package func endAdoption(of content: AssetChecksum) async {}

    package func removeUpload(_ uploadID: String, _ content: AssetChecksum) async {
        // A save can have thousands of uploads, and removing each waits for the file system.
        try? await BlockingWork.run { [layout] in try Disk.remove(layout.received(uploadID, content)) }
    }

    package func open(_ content: AssetChecksum) async throws -> StoredAsset {
        try await translatingDiskErrors {
            let handle = try await FileSystem.shared.openFile(
                forReadingAt: layout.path(of: content), options: .noFollow)
            let reader = FileReader(handle: handle)
            let seen = try await handle.withUnsafeDescriptor { try Disk.attributes(of: $0) }
            return StoredAsset(reader: reader, attributes: seen)
        }
    }

    package func size(of content: AssetChecksum) async throws -> Int64? {
        Disk.fileSize(layout.path(of: content))
    }

    package func sizes(of contents: [AssetChecksum]) async throws -> [String: Int64] {
        // A save can have thousands of assets, and each size is a call of the file system.
        try await BlockingWork.run { [layout] in
            contents.reduce(into: [:]) { $0[$1.text] = Disk.fileSize(layout.path(of: $1)) }
        }
    }

    package func beginCollection(of content: AssetChecksum) async throws -> AssetCollection? {
        AssetCollection(of: content)
    }

    package func delete(_ collection: AssetCollection) async throws {
        try await translatingDiskErrors {
            _ = try await FileSystem.shared.removeItem(at: layout.path(of: collection.content))
        }
    }

    package func end(_ collection: AssetCollection) async {}

    /// Links the received file to the path of its content. A committed upload has no received file any more;
    /// then it is enough that the content exists. A received file whose content is known replaces an existing
    /// one, so that uploading a file again repairs a damaged one.
    private func link(
        _ upload: ReceivedUpload, _ content: AssetChecksum, _ isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws {
        let target = layout.path(of: content)
        do {
            try await link(layout.received(upload.uploadID, content), to: target, size: upload.size, isKnown)
        } catch let error where Self.meansMissing(error) {
            guard Disk.fileSize(target) == upload.size else { throw RecordError.expiredReceipt }
        }
    }

    /// The received file can disappear at any time, when another save with the same receipt is committed.
    private func link(
        _ source: FilePath, to target: FilePath, size: Int64,
        _ isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws {
        guard let found = Disk.fileSize(source) else { throw Errno.noSuchFileOrDirectory }
        guard found == size else { throw RecordError.badReceipt }
        let handle = try await FileSystem.shared.openFile(forReadingAt: source, options: .noFollow)
        let reader = FileReader(handle: handle)
        let seen = try await reader.handle.withUnsafeDescriptor { try Disk.attributes(of: $0) }
        // An offered upload is another name of the stored file, which may have been damaged since then.
        let isIntact = isKnown(seen)
        // Flushing waits for the disk, so this must not run on the caller's thread.
        try await reader.handle.withUnsafeDescriptor { [isDurable] _ in
            try Disk.addName(target, to: source, size: size, isIntact: isIntact, isDurable: isDurable)
        }
    }

    private static func meansMissing(_ error: any Error) -> Bool {
        (error as? Errno) == .noSuchFileOrDirectory || (error as? FileSystemError)?.code == .notFound
    }

    /// Creates the folders of the store. After the first upload this costs three system calls.
    private func prepareFolders() throws {
        for folder in [layout.folder, layout.incoming, layout.content] where try Disk.makeFolder(folder) {
            if isDurable { try Disk.synchronizeFolder(folder.removingLastComponent()) }
        }
    }
}
