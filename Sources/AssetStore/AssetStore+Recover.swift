import Records
import _NIOFileSystem

extension AssetStore {
    /// Empties `incoming/`; content that was adopted there and that no record came to own goes too.
    ///
    /// To be called before anything else. Looks at the uploads that were under way when the last process
    /// ended, never at all content, so a start takes the same time however many files there are.
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
