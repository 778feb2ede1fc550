import Foundation
internal import Records

/// The files that were downloaded for one content: one for each record that was fetched with it.
///
/// Each record gets a file of its own, because apps move and change what they were given. Whether a file
/// still holds the content is told by its bytes, never by its name or age.
struct DownloadShelf {
    private let asset: Asset
    /// The folder of this content.
    let place: URL
    /// A name for the content, safe in paths and addresses.
    let name: String

    init(folder: URL, asset: Asset) {
        self.asset = asset
        name = asset.fileChecksum.isEmpty ? "asset" : Self.safe(asset.fileChecksum)
        place = folder.appendingPathComponent(name)
    }

    /// Base64 with the two letters that addresses can hold, and nothing else.
    private static func safe(_ text: String) -> String {
        String(
            text.prefix(64).compactMap { letter -> Character? in
                switch letter {
                case "+": return "-"
                case "/": return "_"
                default: return letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : nil
                }
            })
    }

    /// A file that nobody has yet, with what an attempt that nobody goes on with left of this content.
    func newFile() -> URL {
        Self.downloads.withLock { downloads in
            while true {
                downloads.count += 1
                let file = place.appendingPathComponent("\(downloads.count)")
                if FileManager.default.fileExists(atPath: file.path) { continue }
                adopt(partFor: file, besides: downloads.active)
                downloads.active.insert(file.path)
                return file
            }
        }
    }

    /// Lets others go on with what is left of a file.
    func release(_ file: URL) {
        Self.downloads.withLock { _ = $0.active.remove(file.path) }
    }

    private func adopt(partFor file: URL, besides active: Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        let left = names.filter { $0.hasSuffix(".part") }.sorted().map { place.appendingPathComponent($0) }
        for part in left where !active.contains(part.deletingPathExtension().path) {
            // Nothing comes after the last byte: whoever asked for that would be refused.
            if let size = try? FileStamp(path: part.path).size, size < asset.size {
                try? FileManager.default.moveItem(at: part, to: file.appendingPathExtension("part"))
                return
            }
            try? FileManager.default.removeItem(at: part)
        }
    }

    private static let downloads = Locked<(count: UInt64, active: Set<String>)>((0, []))

    /// A copy of a file that still holds the content; nil when there is none.
    func copy() -> URL? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names.sorted() where !name.hasSuffix(".part") {
            let source = place.appendingPathComponent(name)
            guard let copy = try? copy(of: source) else { continue }
            if holdsContent(copy) { return copy }
            try? FileManager.default.removeItem(at: copy)
        }
        return nil
    }

    /// Looked at after it was copied: the app may be at work on the source.
    private func copy(of source: URL) throws -> URL? {
        guard try FileStamp(path: source.path).size == asset.size else { return nil }
        let copy = newFile()
        defer { release(copy) }
        try FileManager.default.copyItem(at: source, to: copy)
        return copy
    }

    /// Whether the checksum is one that can be checked: ours, of which the first byte tells the version.
    var isChecked: Bool {
        let bytes = Data(base64Encoded: asset.fileChecksum) ?? Data()
        return bytes.count == 21 && bytes.first == 1
    }

    /// Whether the bytes are those of the content.
    func holdsContent(_ file: URL) -> Bool {
        (try? FileContent.describe(path: file.path).fileChecksum) == asset.fileChecksum
    }
}
