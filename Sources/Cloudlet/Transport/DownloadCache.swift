import Foundation
internal import Records

/// The folder of the downloaded files with one content.
///
/// Each fetched record gets its own file, because apps move and change the files they get. A file is reused
/// only if its bytes still match the checksum; its name and age do not matter.
struct DownloadCache {
    private let asset: Asset
    /// The folder for this content.
    let folder: URL
    /// A name for the content that is safe in paths and URLs.
    let name: String

    /// - Parameter parent: the folder for the downloads of all contents.
    init(in parent: URL, asset: Asset) {
        self.asset = asset
        name = Asset.fileName(ofChecksum: asset.fileChecksum)
        folder = parent.appendingPathComponent(name)
    }

    /// Returns an unused path and reserves it until `release(_:)`. If an earlier, abandoned download of this
    /// content left a part file, the part is moved to the new path, so that the download can resume.
    func newFile() -> URL {
        Self.downloads.withLock { downloads in
            while true {
                downloads.count += 1
                let file = folder.appendingPathComponent("\(downloads.count)")
                if FileManager.default.fileExists(atPath: file.path) { continue }
                adopt(partFor: file, besides: downloads.active)
                downloads.active.insert(file.path)
                return file
            }
        }
    }

    /// Ends the reservation of a path, so that another download can resume a part file left there.
    func release(_ file: URL) {
        Self.downloads.withLock { _ = $0.active.remove(file.path) }
    }

    private func adopt(partFor file: URL, besides active: Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let left = names.filter { $0.hasSuffix(".part") }.sorted().map { folder.appendingPathComponent($0) }
        for part in left where !active.contains(part.deletingPathExtension().path) {
            // A part that already has all bytes cannot be resumed: the server refuses a range that starts
            // after the last byte.
            if let size = try? FileStamp(path: part.path).size, size < asset.size {
                try? FileManager.default.moveItem(at: part, to: file.appendingPathExtension("part"))
                return
            }
            try? FileManager.default.removeItem(at: part)
        }
    }

    private static let downloads = Locked<(count: UInt64, active: Set<String>)>((0, []))

    /// Copies a file that still has the content; nil when there is none.
    func copy() -> URL? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted() where !name.hasSuffix(".part") {
            let source = folder.appendingPathComponent(name)
            guard let copy = try? copy(of: source) else { continue }
            if holdsContent(copy) { return copy }
            try? FileManager.default.removeItem(at: copy)
        }
        return nil
    }

    /// Copies a file of the right size. Callers check the copy, not the source, because the app may be
    /// changing the source.
    private func copy(of source: URL) throws -> URL? {
        guard try FileStamp(path: source.path).size == asset.size else { return nil }
        let copy = newFile()
        defer { release(copy) }
        try FileManager.default.copyItem(at: source, to: copy)
        return copy
    }

    /// Whether the checksum can be verified: it has Cloudlet's own format of 21 bytes, and its first byte is
    /// format version 1.
    var isChecked: Bool {
        let bytes = Data(base64Encoded: asset.fileChecksum) ?? Data()
        return bytes.count == 21 && bytes.first == 1
    }

    /// Whether the file's checksum is that of the asset.
    func holdsContent(_ file: URL) -> Bool {
        (try? FileContent.describe(path: file.path).fileChecksum) == asset.fileChecksum
    }
}
