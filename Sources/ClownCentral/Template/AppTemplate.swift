import Foundation

/// A new app: a copy of the package `Demo/Template` with another name and other models.
struct AppTemplate: Sendable {
    /// How an app keeps its models.
    enum Kind: CaseIterable, Sendable {
        /// As records in a local replica.
        case records
        /// As objects in a store that mirrors itself.
        case mirrored
    }

    var kind = Kind.records
    let name: String
    let entities: [EntitySpec]
    /// Cloudlet's package: a path or a repository URL.
    let cloudlet: String

    /// The app's name in the template.
    private static let templateName = "TaskBook"
    /// The template's folder of models.
    private static let models = "Sources/TaskBook/Model/"
    /// The files in that folder that do not depend on the entities.
    private static let sharedModels: Set = ["Model.swift", "Property.swift"]
    /// The dependency on Cloudlet in the template's manifest.
    private static let templateDependency = #".package(name: "cloudlet", path: "../..")"#

    /// The template's folder of the files that a mirrored app has in place of those of the same path.
    private static let mirrored = "Mirrored/"
    private static let syncProduct = #".product(name: "CloudSync", package: "cloudlet"),"#
    private static let storeProduct = #".product(name: "MirroredStore", package: "cloudlet"),"#

    /// The files that every app of a kind gets: the whole template except its sample models.
    static func shared(_ kind: Kind) -> [(path: String, text: String)] {
        let others = TemplateFiles.all.filter { $0.path.hasPrefix(mirrored) }
            .map { (path: String($0.path.dropFirst(mirrored.count)), text: $0.text) }
        var files = TemplateFiles.all.filter { path, _ in
            !path.hasPrefix(mirrored)
                && (!path.hasPrefix(models) || sharedModels.contains(String(path.dropFirst(models.count))))
        }
        guard kind == .mirrored else { return files }
        files.removeAll { file in others.contains { $0.path == file.path } }
        return (files + others).map { path, text in
            guard path == "Package.swift" else { return (path, text) }
            let products = "\(syncProduct)\n                \(storeProduct)"
            return (path, text.replacing(syncProduct, with: products))
        }
    }

    /// The paths and contents of the new app's files.
    var files: [(path: String, text: String)] {
        let copies = Self.shared(kind).map { path, text in
            (path: named(path), text: path == "README.md" ? readMe(text) : named(text))
        }
        let list = (path: named(Self.models) + "Models.swift", text: modelList)
        let models = entities.map { entity in
            (path: named(Self.models) + "\(entity.name).swift", text: entity.code)
        }
        return (copies + [list] + models).sorted { $0.path < $1.path }
    }

    /// Writes the files into a new folder.
    func write(to folder: URL) throws {
        for (path, text) in files {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Replaces the template's app name and its dependency on Cloudlet in a path or a text.
    private func named(_ text: String) -> String {
        let dependency =
            cloudlet.contains("://")
            ? ".package(url: \"\(cloudlet)\", branch: \"main\")"
            : ".package(name: \"cloudlet\", path: \"\(cloudlet)\")"
        return text.replacing(Self.templateDependency, with: dependency)
            .replacing(Self.templateName, with: name)
    }

    /// The README with examples that use the first entity.
    private func readMe(_ text: String) -> String {
        guard let entity = entities.first else { return text }
        // A placeholder keeps the place of the app's name, so that no other replacement changes the name.
        return text.replacing(Self.templateName, with: "\u{0}")
            .replacing("title=Tea", with: entity.example)
            .replacing(/\bTask\b/, with: entity.name)
            .replacing(/\btask\b/, with: entity.word)
            .replacing("\u{0}", with: name)
    }

    private var modelList: String {
        """
        /// Everything that the app keeps, in the order of its commands.
        enum Models {
            static let all: [any Model.Type] = [\(entities.map { "\($0.name).self" }.joined(separator: ", "))]
        }

        """
    }
}
