// Owns the files of a new app: which there are, and where they go.
import Foundation

/// A small app with the layers of this one: models, a repository that maps them to records, a sync, a shell.
struct AppTemplate: Sendable {
    let name: String
    let entities: [EntitySpec]
    /// The package of Cloudlet: a folder, or the address of its repository.
    let cloudlet: String

    /// The texts of the files by their paths in the new folder.
    var files: [(path: String, text: String)] {
        let sources = "Sources/\(name)"
        var files = [
            ("Package.swift", manifest), ("README.md", readMe),
            (".gitignore", "/.build/\n/phone/\n/tablet/\n"),
            ("\(sources)/Repository/Storable.swift", storable),
            ("\(sources)/Repository/Repository.swift", repository),
            ("\(sources)/Sync/Device.swift", device), ("\(sources)/Shell/Typed.swift", typed),
            ("\(sources)/Sync/Owner.swift", owner), ("\(sources)/Shell/Commands.swift", commands),
            ("\(sources)/Shell/Main.swift", main), ("Tests/\(name)Tests/\(name)Tests.swift", tests),
        ]
        for entity in entities {
            files += [
                ("\(sources)/Model/\(entity.name).swift", model(entity)),
                ("\(sources)/Repository/\(entity.name)+Record.swift", mapper(entity)),
                ("\(sources)/Shell/\(entity.name)+Text.swift", text(entity)),
            ]
        }
        return files.sorted { $0.0 < $1.0 }
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

    private var manifest: String {
        let package =
            cloudlet.contains("://")
            ? ".package(url: \"\(cloudlet)\", branch: \"main\")"
            : ".package(name: \"cloudlet\", path: \"\(cloudlet)\")"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15)],
                dependencies: [\(package)],
                targets: [
                    .executableTarget(
                        name: "\(name)",
                        dependencies: [
                            .product(name: "Cloudlet", package: "cloudlet"),
                            .product(name: "CloudSync", package: "cloudlet"),
                        ]
                    ),
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: ["\(name)", .product(name: "CloudletTesting", package: "cloudlet")]
                    ),
                ]
            )

            """
    }
}

extension EntitySpec {
    /// What the entity is called on the command line.
    var command: String { name.lowercased() }
}
