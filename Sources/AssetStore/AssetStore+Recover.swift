import Records
import _NIOFileSystem

extension AssetStore {
    /// Empties `incoming/`, and deletes content that was adopted from there but that no record owns.
    ///
    /// Call it before any other method. It examines only uploads that were unfinished when the last process
    /// ended, so its duration does not depend on the number of files.
    package func recover(isUsed: (String) async throws -> Bool) async throws {
        guard try await FileSystem.shared.info(forFileAt: layout.incoming) != nil else { return }
        for name in try await incomingNames() {
            if let content = layout.content(ofIncoming: name), try await !isUsed(content.text) {
                try translatingDiskErrors { try Disk.remove(layout.path(of: content)) }
            }
            try translatingDiskErrors { try Disk.remove(layout.partial(name)) }
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
