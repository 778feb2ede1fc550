import Foundation

/// The contents of a valid configuration file.
struct ConfigurationFile {
    /// The values by name, each with its file and line number.
    private(set) var values: [String: (text: String, place: String)] = [:]

    /// Reads a file; nil if it does not exist.
    init?(_ file: URL, keys: [ConfigurationKey], home: String) throws(ConfigurationError) {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw ConfigurationError(
                place: file.path, reason: "it cannot be read",
                nextStep: "check that it is a file that you may read")
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw ConfigurationError(
                place: file.path, reason: "it is not in UTF-8", nextStep: "save it as UTF-8")
        }
        try self.init(text, file: file, keys: keys, home: home)
    }

    init(_ text: String, file: URL, keys: [ConfigurationKey], home: String) throws(ConfigurationError) {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let place = "\(file.path):\(index + 1)"
            let (key, value) = try Self.setting(line, place, keys)
            if let before = values[key.name] {
                throw ConfigurationError(
                    place: place, reason: "`\(key.name)` is set twice, first at \(before.place)",
                    nextStep: "keep one of them")
            }
            if let group = key.group,
                let rival = keys.first(where: { $0.group == group && values[$0.name] != nil })
            {
                throw ConfigurationError(
                    place: place, reason: "`\(key.name)` and `\(rival.name)` exclude each other",
                    nextStep: "keep one of them")
            }
            values[key.name] = (Self.resolved(value, key.kind, file, home), place)
        }
    }

    private static func setting(
        _ line: String, _ place: String, _ keys: [ConfigurationKey]
    ) throws(ConfigurationError) -> (ConfigurationKey, String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2 else {
            throw ConfigurationError(
                place: place, reason: "there is no `=`", nextStep: "write: NAME = VALUE, or # and a comment")
        }
        let names = keys.map(\.name)
        guard let key = keys.first(where: { $0.name == parts[0] }) else {
            let near = DidYouMean.suggestions(for: parts[0], among: names).first
            throw ConfigurationError(
                place: place, reason: "there is no setting `\(parts[0])`",
                nextStep: near.map { "did you mean `\($0)`?" }
                    ?? "the settings are \(names.joined(separator: ", "))")
        }
        if parts[1].isEmpty {
            throw ConfigurationError(
                place: place, reason: "`\(key.name)` has no value",
                nextStep: "add a value, or remove the line")
        }
        if let (reason, nextStep) = key.objection(to: parts[1]) {
            throw ConfigurationError(place: place, reason: reason, nextStep: nextStep)
        }
        return (key, parts[1])
    }

    /// The value; a path is made absolute. `~` is the home folder, and a relative path starts at the file's
    /// folder.
    private static func resolved(
        _ value: String, _ kind: ConfigurationKey.Kind, _ file: URL, _ home: String
    ) -> String {
        guard case .path = kind else { return value }
        if value == "~" || value.hasPrefix("~/") { return home + value.dropFirst() }
        return URL(fileURLWithPath: value, relativeTo: file.deletingLastPathComponent())
            .standardizedFileURL.path
    }

    /// The file with this name in the folder, or in the nearest folder above it that has one.
    static func nearest(_ name: String, from folder: URL) throws(ConfigurationError) -> URL? {
        var folder = folder.standardizedFileURL
        while true {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: file.path) {
                try checkOwner(file)
                return file
            }
            let parent = folder.deletingLastPathComponent().standardizedFileURL
            if parent.path == folder.path { return nil }
            folder = parent
        }
    }

    /// Throws if a user other than the current one and root owns the file.
    private static func checkOwner(_ file: URL) throws(ConfigurationError) {
        if FileOwner.isUserOrRoot(of: file) { return }
        throw ConfigurationError(
            place: file.path, reason: "it belongs to another user",
            nextStep: "change its owner, or work outside of its folder")
    }
}
