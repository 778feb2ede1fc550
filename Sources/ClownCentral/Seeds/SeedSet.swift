import CommandShell
import Foundation

/// The seed sets of the project. Each is a file `NAME.jsonl` with one `SeedParty` per line.
enum SeedSet {
    /// The default set of the command `seed`: 520 parties, which `Data/Seeds/make` has written.
    static let defaultName = "parties"

    /// The environment variable with the folder of seeds.
    static let folderVariable = "CLOUDLET_SEEDS_DIR"

    /// Reads a set. Its dates are relative to `referenceDate`.
    ///
    /// Throws `SeedError` if the set does not exist or a line is not a party.
    static func load(
        named name: String = defaultName,
        from folder: URL,
        referenceDate: Date
    ) throws -> [SeedParty] {
        let known = names(in: folder)
        guard known.contains(name) else {
            throw SeedError.noSuchSet(name: name, known: known)
        }
        let text = try Data(contentsOf: folder.appendingPathComponent(name + suffix))
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = JSONDecoder()
        return try lines.enumerated().filter { !$0.element.isEmpty }.map { number, line in
            do {
                var party = try decoder.decode(SeedParty.self, from: line)
                party.referenceDate = referenceDate
                return party
            } catch {
                throw SeedError.badLine(set: name, line: number + 1, reason: String(describing: error))
            }
        }
    }

    /// The names of the sets in a folder, sorted; empty if the folder does not exist.
    static func names(in folder: URL) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// The sample photos, sorted by name.
    static func photos(in folder: URL) -> [URL] {
        let photos = folder.appendingPathComponent("photos")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: photos.path)) ?? []
        return files.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.sorted()
            .map { photos.appendingPathComponent($0) }
    }

    /// Finds the folder of seeds: the one that `CLOUDLET_SEEDS_DIR` names, otherwise `Data/Seeds` in a folder
    /// above the program's executable: see `PackageFiles`.
    ///
    /// Throws `SeedError` if there is no such folder.
    ///
    /// - Parameter executable: The path of the program's executable; nil if it is unknown.
    static func folder(environment: [String: String], executable: String?) throws -> URL {
        if let named = environment[folderVariable] { return URL(fileURLWithPath: named, isDirectory: true) }
        if let found = PackageFiles.folder(at: "Data/Seeds", above: executable) { return found }
        throw SeedError.noFolder(above: executable)
    }

    private static let suffix = ".jsonl"
}

/// A problem with the seed files.
enum SeedError: Error, Equatable {
    /// No folder above the program's executable, whose path this is if it is known, has seeds.
    case noFolder(above: String?)
    case noSuchSet(name: String, known: [String])
    case badLine(set: String, line: Int, reason: String)
}
