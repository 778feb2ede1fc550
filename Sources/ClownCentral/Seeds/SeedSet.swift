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

    /// Finds the folder of seeds: `argument`, otherwise `CLOUDLET_SEEDS_DIR`, otherwise the first
    /// `Data/Seeds` in a folder above the program's executable, since a build lies inside its package. The
    /// folders above the current directory are not searched, because they may belong to somebody else.
    ///
    /// `executable` is the path of the program's file, from `Bundle.main.executablePath`.
    static func folder(
        argument: String? = nil,
        environment: [String: String],
        executable: String?
    ) throws -> URL {
        if let named = argument ?? environment[folderVariable] {
            return URL(fileURLWithPath: named, isDirectory: true)
        }
        let starts = [executable].compactMap { $0 }
        for start in starts {
            for folder in foldersAround(start) where isFolder(folder) {
                return folder
            }
        }
        throw SeedError.noFolder(lookedAround: starts)
    }

    private static let suffix = ".jsonl"

    /// `Data/Seeds` in a folder and in each folder above it.
    private static func foldersAround(_ path: String) -> [URL] {
        let start = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let parts = start.pathComponents
        return parts.indices.reversed().map { last in
            URL(fileURLWithPath: NSString.path(withComponents: Array(parts[...last])), isDirectory: true)
                .appendingPathComponent("Data/Seeds", isDirectory: true)
        }
    }

    private static func isFolder(_ folder: URL) -> Bool {
        (try? folder.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }
}

/// A problem with the seed files; the description contains the next step.
enum SeedError: Error, Equatable, CustomStringConvertible {
    case noFolder(lookedAround: [String])
    case noSuchSet(name: String, known: [String])
    case badLine(set: String, line: Int, reason: String)

    var description: String {
        switch self {
        case .noFolder(let places):
            "There is no folder Data/Seeds above the program"
                + (places.isEmpty ? ". " : " \(places.joined(separator: " or ")). ")
                + "Run the program of a checkout, or name the folder in \(SeedSet.folderVariable)."
        case .noSuchSet(let name, let known):
            "There is no seed set \(name). "
                + (known.isEmpty
                    ? "The folder has none; Data/Seeds/make creates the sets."
                    : "Known sets: \(known.joined(separator: ", ")).")
        case .badLine(let set, let line, let reason):
            "Line \(line) of seed set \(set) is not a party (\(reason)). Data/Seeds/make rewrites the set."
        }
    }
}
