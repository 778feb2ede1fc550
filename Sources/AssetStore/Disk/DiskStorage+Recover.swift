import Records
import _NIOFileSystem

extension DiskStorage {
    /// Deletes all uploads in `incoming/`, and their content in `content/` if no record owns it.
    ///
    /// - Throws: `internalError` if a folder of the store is a symbolic link: in a data folder from an
    ///   untrusted source it can lead to other people's files, which must not be served or deleted.
    package func recover(isUsed: (String) async throws -> Bool) async throws {
        try await checkFolders()
        guard try await FileSystem.shared.info(forFileAt: layout.incoming) != nil else { return }
        for name in try await incomingNames() where AssetLayout.isIncoming(name) {
            if let content = AssetLayout.content(ofIncoming: name), try await !isUsed(content.text) {
                try translatingDiskErrors { try Disk.remove(layout.path(of: content)) }
            }
            try translatingDiskErrors { try Disk.remove(layout.partial(name)) }
        }
    }

    private func checkFolders() async throws {
        for folder in [layout.folder, layout.incoming, layout.content] where Disk.isLink(folder) {
            throw RecordError.linkedFolder(folder)
        }
        guard try await FileSystem.shared.info(forFileAt: layout.content) != nil else { return }
        try await translatingDiskErrors {
            try await FileSystem.shared.withDirectoryHandle(atPath: layout.content) { content in
                for try await entry in content.listContents() where entry.type == .symlink {
                    throw RecordError.linkedFolder(entry.path)
                }
            }
        }
    }

    private func incomingNames() async throws -> [String] {
        try await translatingDiskErrors {
            try await FileSystem.shared.withDirectoryHandle(atPath: layout.incoming) { folder in
                var names: [String] = []
                for try await entry in folder.listContents() where entry.type == .regular {
                    names.append(entry.name.string)
                }
                return names
            }
        }
    }
}
