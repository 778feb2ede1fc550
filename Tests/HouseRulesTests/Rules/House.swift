import Foundation

/// The files of this package.
enum House {
    /// The folder with Package.swift above this file.
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", !isFile(folder.appendingPathComponent("Package.swift")) {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Every Swift file, sorted by path.
    static let swiftFiles = texts.filter { $0.path.hasSuffix(".swift") }
        .map { SourceFile(path: $0.path, text: $0.text) }

    /// Every text file, sorted by path.
    static let texts: [(path: String, text: String)] = paths.compactMap { path in
        guard let data = try? Data(contentsOf: root.appendingPathComponent(path)), data.count < 2_000_000,
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        return (path, text)
    }

    /// The names in the root folder.
    static let topLevel = ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()

    private static let paths: [String] = {
        var paths = topLevel.filter { $0 != "Package.resolved" }
        for folder in ["Sources", "Tests", "Demo", "Data", ".ci"] {
            let inside = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let name = inside?.nextObject() as? String {
                if !name.contains(".build/") { paths.append(folder + "/" + name) }
            }
        }
        return paths.filter { isFile(root.appendingPathComponent($0)) }.sorted()
    }()

    private static func isFile(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
    }
}
