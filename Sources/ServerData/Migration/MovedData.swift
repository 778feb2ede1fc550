import AssetStore
import Foundation
import Records

/// The mark of a data folder whose data `cloudlet migrate` has moved to another place. No server uses the
/// folder any more, because the new place would not get its changes.
package struct MovedData: Hashable, Sendable {
    /// The new place, as an operator writes it: an address without a password, or a path.
    let target: String
    /// The identifier of the installation that the copy became.
    let installation: String
    /// The time in ISO 8601 and UTC.
    let date: String

    private static let beginning = "data-moved"

    init(to target: String, as installation: String, at time: Timestamp) {
        self.target = target
        self.installation = installation
        date = time.date.formatted(.iso8601)
    }

    var text: String { "\(Self.beginning) \(date) \(installation) \(target)" }

    /// Parses the form of `text`; nil for another text.
    init?(text: String) {
        let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, words[0] == Self.beginning else { return nil }
        (date, installation, target) = (words[1], words[2], words[3])
    }

    /// How a server uses the new place.
    var serve: String {
        target.contains("://")
            ? "start each node with a new data folder, and with --assets if the files were moved to a bucket:"
                + " cloudlet serve --data NEW --database \(target)"
            : "start the server there: cloudlet serve --data \(target)"
    }
}

extension DataFolder {
    /// The name of the file that marks a folder whose data were moved. It contains a `MovedData`.
    static let movedMark = "data-moved"

    /// The mark of a folder; nil if its data were not moved. Throws for a mark that cannot be read.
    static func movedData(in folder: URL) throws(ServerError) -> MovedData? {
        let file = folder.appendingPathComponent(movedMark)
        let problem: String
        do throws(OwnedFile.Failure) {
            // The path or address of the new place can be long.
            let text = try OwnedFile.text(of: file, atMost: 1 << 14)
            if let moved = MovedData(text: text) { return moved }
            problem = "it does not name the place to which the data were moved"
        } catch {
            switch error {
            case .missing: return nil
            case .foreign: problem = "it is no file of this user alone, or has several hard links"
            case .unusable: problem = "it cannot be opened, or is no text of at most 16 KiB"
            }
        }
        throw ServerError(
            .folderUnusable,
            "the file \(file.path), which marks data that were moved, cannot be read: \(problem)",
            nextStep: "if the data were moved, use the place to which they were moved; if they were not, "
                + "delete the file")
    }

    /// Throws for a folder from which `cloudlet migrate` has moved the data.
    static func refuseMovedData(_ folder: URL) throws(ServerError) {
        let file = folder.appendingPathComponent(movedMark)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        let moved = try? movedData(in: folder)
        let place = moved.map { "to \($0.target) on \($0.date)" } ?? "to another place"
        throw ServerError(
            .folderUnusable, "the data of the folder \(folder.path) were moved \(place)",
            nextStep: (moved?.serve ?? "use that place")
                + "; or, to use the old data all the same, delete the file \(file.path)")
    }

    /// Marks a folder whose data were moved.
    func mark(_ moved: MovedData) throws {
        try DurableFiles.write(moved.text + "\n", to: url.appendingPathComponent(Self.movedMark))
    }

    /// Removes the mark of a folder, if it has one, after the data of another place were copied to it.
    func removeMovedMark() throws {
        let file = url.appendingPathComponent(Self.movedMark)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
        try DurableFiles.flush(url)
    }
}
