import Foundation

/// The folder with the scripts of the walkthrough.
struct SceneFolder: Sendable {
    let url: URL
    private let ending: String

    /// Finds the folder: the given one, the one in the program's variable `…_SCENES`, or `Demo/scenes` in a
    /// folder above the executable. `PackageFiles` skips folders of strangers, because scenes run programs.
    init(
        of names: ProgramNames, argument: URL?, environment: [String: String], executable: String?
    ) throws {
        ending = "." + names.scriptExtension
        let variable = names.variable("SCENES")
        let named = argument ?? environment[variable].map { URL(fileURLWithPath: $0, isDirectory: true) }
        let found = named ?? PackageFiles.folder(at: "Demo/scenes", above: executable)
        guard let found, PackageFiles.isFolder(found) else {
            throw ShellError(
                code: "noScenes",
                message: "there is no folder of scenes\(named.map { " at \($0.path)" } ?? "")",
                remedy: "demo --scenes DIR",
                exit: .usage
            )
        }
        url = found
    }

    /// The folder that relative file names in scenes start from: the one that contains `Demo`.
    var baseFolder: URL { url.deletingLastPathComponent().deletingLastPathComponent() }

    /// The scenes in order, or those that the words select.
    ///
    /// - Throws: `ShellError` if a word selects no scene.
    func scenes(_ words: [String]) throws -> [Scene] {
        let files = try FileManager.default.contentsOfDirectory(atPath: url.path)
        let all = try files.filter { $0.hasSuffix(ending) }.sorted().map { file in
            let text = try String(contentsOf: url.appendingPathComponent(file), encoding: .utf8)
            return Scene(name: String(file.dropLast(ending.count)), text: text)
        }
        if words.isEmpty { return all }
        return try words.flatMap { word in
            let found = all.filter { $0.isSelected(by: word) }
            if !found.isEmpty { return found }
            if Int(word) != nil {
                let last = all.compactMap { Int($0.name.prefix { $0.isNumber }) }.max() ?? 0
                throw ShellError.usage(
                    "there is no scene \(word): the numbers are 1 to \(last)", remedy: "demo --list")
            }
            throw ShellError.usage(
                "there is no scene `\(word)`; the scenes are \(all.map(\.name).joined(separator: ", "))",
                suggestions: DidYouMean.suggestions(for: word, among: all.map(\.name))
            )
        }
    }

    /// The lines of `to-come.txt`: a description of each planned scene, with the feature that it needs.
    func planned() throws -> [String] {
        let file = url.appendingPathComponent("to-come.txt")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
