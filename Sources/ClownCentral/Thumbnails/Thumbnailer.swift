import Foundation
import Subprocess

/// Creates thumbnails with `vipsthumbnail`, which turns them upright. The option `strip` drops their
/// metadata.
struct Thumbnailer: Sendable {
    /// The longest side of a thumbnail in pixels.
    static let edge = 256
    /// The note when the tool is not installed.
    static let advice = "photos are stored without thumbnails; install vipsthumbnail (Debian: libvips-tools)"

    /// The folder for the thumbnail files.
    let folder: URL
    private static let program = "vipsthumbnail"

    /// Nil if the tool is not in a folder of `searchPath`.
    init?(folder: URL, searchPath: String) {
        let places = searchPath.split(separator: ":").map { "\($0)/\(Self.program)" }
        guard places.contains(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
        self.folder = folder
    }

    /// Creates the thumbnail of a picture and returns its file. `name` must be unique in the folder.
    ///
    /// Throws a `ShellError` if the picture cannot be decoded.
    func thumbnail(of picture: URL, name: String, shownAs shown: String) async throws -> URL {
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = folder.appendingPathComponent("\(name)-source")
        let target = folder.appendingPathComponent("\(name).jpg")
        try files.createSymbolicLink(at: source, withDestinationURL: picture.absoluteURL)
        defer { try? files.removeItem(at: source) }
        let result = try await run(
            .name(Self.program),
            arguments: [
                source.path, "--size", "\(Self.edge)x\(Self.edge)>", "--output",
                target.path + "[Q=80,strip,background=255]",
            ],
            output: .discarded,
            error: .string(limit: 64 * 1024)
        )
        guard result.terminationStatus.isSuccess, files.fileExists(atPath: target.path) else {
            throw PhotoFile.refused(shown, "cannot be decoded as a picture")
        }
        return target
    }
}
