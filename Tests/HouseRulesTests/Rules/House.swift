// Owns finding the house on disk and reading its files.

import Foundation

/// The package that these tests belong to.
enum House {
    /// The folder with Package.swift above this file.
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", !isFile(folder.appendingPathComponent("Package.swift")) {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Every Swift file of the house, sorted by path.
    static let swiftFiles: [SourceFile] =
        texts
        .filter { $0.path.hasSuffix(".swift") }
        .map { SourceFile(path: $0.path, text: $0.text) }

    /// Every file of the house that is text, sorted by path.
    static let texts: [HouseText] = paths.compactMap { path in
        guard let data = try? Data(contentsOf: root.appendingPathComponent(path)), data.count < 2_000_000,
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        return HouseText(path: path, text: text)
    }

    /// The names in the root folder.
    static let topLevel: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()

    /// Where the house's own files are; builds and the like lie beside them.
    private static let folders = ["Sources", "Tests", "Demo", "Data", ".ci"]

    private static let paths: [String] = {
        var paths = topLevel.filter { isFile(root.appendingPathComponent($0)) && $0 != "Package.resolved" }
        for folder in folders {
            let inside = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let name = inside?.nextObject() as? String {
                paths.append(folder + "/" + name)
            }
        }
        return paths.filter { isFile(root.appendingPathComponent($0)) }.sorted()
    }()

    private static func isFile(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
    }
}

/// A text file of any language.
struct HouseText: Sendable {
    let path: String
    let text: String
}
