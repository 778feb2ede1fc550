import Crypto
package import Foundation
import _NIOFileSystem

/// Reads the folder of one database's files, for the backup and the check of a data folder.
package struct AssetFolder: Sendable {
    package let url: URL
    private let layout: AssetLayout

    package init(_ url: URL) {
        self.url = url
        layout = AssetLayout(folder: FilePath(url.path))
    }

    /// The path of the file with this checksum, whether it exists or not; nil for a malformed checksum.
    package func place(of fileChecksum: String) -> URL? {
        AssetChecksum(text: fileChecksum).map { URL(fileURLWithPath: layout.path(of: $0).string) }
    }

    /// The existing files in `content/`, by checksum.
    package func files() -> [String: URL] {
        let content = URL(fileURLWithPath: layout.content.string)
        let manager = FileManager.default
        var files: [String: URL] = [:]
        for prefix in (try? manager.contentsOfDirectory(atPath: content.path)) ?? [] {
            let folder = content.appendingPathComponent(prefix)
            for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
                guard let checksum = AssetChecksum(hexadecimal: (prefix + name)[...]) else { continue }
                files[checksum.text] = folder.appendingPathComponent(name)
            }
        }
        return files
    }

    /// Whether a file's content matches the checksum.
    package static func isIntact(_ file: URL, as fileChecksum: String) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
        defer { try? handle.close() }
        var hash = SHA256()
        while let chunk = try? handle.read(upToCount: 1 << 20), !chunk.isEmpty { hash.update(data: chunk) }
        return AssetChecksum(hash.finalize()).text == fileChecksum
    }
}
