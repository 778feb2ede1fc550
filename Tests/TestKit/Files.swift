import Foundation

extension URL {
    /// The folder of this package, which has Package.swift in it.
    static let package: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", !folder.appendingPathComponent("Package.swift").exists {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// A path among the temporary files where nothing is yet.
    static func unused() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID().uuidString)")
    }

    /// A new folder among the temporary files, which the test removes.
    static func newFolder() throws -> URL {
        let folder = unused()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The files of this folder whose names have that ending, by name.
    func files(_ ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: self, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// Whether there is a file or folder.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Removes the file or the folder with all that is in it, if it is there.
    func remove() { try? FileManager.default.removeItem(at: self) }
}

/// Runs a test with a folder of its own, which goes at its end.
func withFolder<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = try URL.newFolder()
    defer { folder.remove() }
    return try await body(folder)
}
