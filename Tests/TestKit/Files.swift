import Foundation

extension URL {
    /// The root folder of this package, which contains Package.swift.
    static let package: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", !folder.appendingPathComponent("Package.swift").exists {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// A path in the temporary folder at which no file exists.
    static func unused() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID().uuidString)")
    }

    /// Creates a folder in the temporary folder. The test must remove it.
    static func newFolder() throws -> URL {
        let folder = unused()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The files of this folder with this path extension, sorted by name.
    func files(_ ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: self, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// Whether a file or folder exists at the URL.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Removes the file, or the folder with its contents, if it exists.
    func remove() { try? FileManager.default.removeItem(at: self) }
}

/// Runs `body` with a new folder, and removes the folder afterwards.
func withFolder<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = try URL.newFolder()
    defer { folder.remove() }
    return try await body(folder)
}

extension URL {
    /// Deletes the files with a content in this folder, as if a server had lost them. Returns their paths.
    func loseFiles(with content: Data) throws -> [URL] {
        let all = FileManager.default.enumerator(at: self, includingPropertiesForKeys: nil)
        let files = (all?.compactMap { $0 as? URL } ?? []).filter { (try? Data(contentsOf: $0)) == content }
        for file in files { try FileManager.default.removeItem(at: file) }
        return files
    }
}
