import AssetStore
import Foundation
package import RecordStore

/// The mark of a place to which the data of a server are being copied. No server uses the place until the
/// copy is complete.
package struct UnfinishedCopy: Hashable, Sendable {
    /// Identifies the data: a place with the mark of other data is not filled any further.
    var identity: String
    /// The identifier of the installation that the copy becomes.
    var installation: String

    private static let beginning = "unfinished-copy"

    var text: String { "\(Self.beginning) \(identity) \(installation)" }

    init(of identity: String, as installation: String) {
        self.identity = identity
        self.installation = installation
    }

    /// Parses the form of `text`; nil for another text.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 3, words[0] == Self.beginning else { return nil }
        self.init(of: words[1], as: words[2])
    }
}

extension Installation {
    /// Whether nodes can use the engine: it has the accounts, and it is no unfinished copy.
    package var isServer: Bool { hasDirectory && UnfinishedCopy(text: identifier) == nil }
}

extension DataFolder {
    /// The name of the file that marks a folder as an unfinished copy. It contains an `UnfinishedCopy`.
    private static let copyMark = "unfinished-copy"

    /// The mark of a folder; nil if it is no unfinished copy.
    static func unfinishedCopy(in folder: URL) -> UnfinishedCopy? {
        let text = try? OwnedFile.text(of: folder.appendingPathComponent(copyMark))
        return text.flatMap(UnfinishedCopy.init)
    }

    /// Throws for a folder to which `cloudlet migrate` has not copied everything.
    static func refuseUnfinishedCopy(_ folder: URL) throws(ServerError) {
        let file = folder.appendingPathComponent(copyMark)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        throw ServerError(
            .folderUnusable, "the data folder \(folder.path) is an unfinished copy", nextStep: finishCopy)
    }

    /// The next step of who finds an unfinished copy.
    static let finishCopy = "complete it: run the same command cloudlet migrate again"

    /// Marks a folder as an unfinished copy, or as a complete one.
    func mark(_ copy: UnfinishedCopy?) throws {
        let file = url.appendingPathComponent(Self.copyMark)
        if let copy {
            try DurableFiles.write(copy.text + "\n", to: file)
        } else {
            try FileManager.default.removeItem(at: file)
            try DurableFiles.flush(url)
        }
    }
}
