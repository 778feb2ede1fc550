import Foundation

/// The sets of parties that come with the project, each a file `NAME.jsonl` with one `SeedParty` a line.
enum SeedSet {
    /// The set that `seed` loads when none is named: 520 parties, seed 2014.
    static let defaultName = "parties"

    /// The variable that names the folder of seeds when it is not around the program.
    static let folderVariable = "CLOUDLET_SEEDS_DIR"

    /// Reads the set `name` from `folder`, its dates counted from `referenceDate`.
    ///
    /// Throws `SeedError` when there is no such set or a line of it is no party.
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

    /// The names of the sets in a folder, sorted; none if there is no such folder.
    static func names(in folder: URL) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// The photos that come with the sets, sorted by name.
    static func photos(in folder: URL) -> [URL] {
        let photos = folder.appendingPathComponent("photos")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: photos.path)) ?? []
        return files.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.sorted()
            .map { photos.appendingPathComponent($0) }
    }

    /// Finds the folder of seeds. The first that is named wins: `argument`, then `CLOUDLET_SEEDS_DIR` of the
    /// environment. With neither, the first `Data/Seeds` in the folders around the program's own file, since
    /// a build lies inside its package. Those around the current directory may be a stranger's.
    ///
    /// `executable` is the path of the program's file, as `Bundle.main.executablePath` tells it.
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

    /// `Data/Seeds` of the place itself and of every folder that it lies in.
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

/// What can be wrong with seeds, each with the next step to take.
enum SeedError: Error, Equatable, CustomStringConvertible {
    case noFolder(lookedAround: [String])
    case noSuchSet(name: String, known: [String])
    case badLine(set: String, line: Int, reason: String)

    var description: String {
        switch self {
        case .noFolder(let places):
            "There is no folder Data/Seeds around \(places.joined(separator: " or ")). "
                + "Run the program of a checkout, or name the folder in \(SeedSet.folderVariable)."
        case .noSuchSet(let name, let known):
            "There is no seed set \(name). "
                + (known.isEmpty ? "The folder has none." : "Known sets: \(known.joined(separator: ", ")).")
        case .badLine(let set, let line, let reason):
            "Line \(line) of seed set \(set) is not a party (\(reason)). Data/Seeds/make writes the set anew."
        }
    }
}
