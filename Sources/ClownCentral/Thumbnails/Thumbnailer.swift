import Foundation
import Subprocess

/// Makes small pictures with `vipsthumbnail`, which turns them upright and, as asked, drops their metadata.
struct Thumbnailer: Sendable {
    /// The longest side of a thumbnail in pixels.
    static let edge = 256
    /// What to say when the tool is not installed.
    static let advice = "photos are stored without thumbnails; install vipsthumbnail (Debian: libvips-tools)"

    /// The folder that thumbnails are made in.
    let folder: URL
    private static let program = "vipsthumbnail"

    /// Looks for the tool in the folders of `searchPath`; nothing when it is not there.
    init?(folder: URL, searchPath: String) {
        let places = searchPath.split(separator: ":").map { "\($0)/\(Self.program)" }
        guard places.contains(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
        self.folder = folder
    }

    /// Makes the thumbnail of a picture and answers its file; `name` is unique in the folder.
    ///
    /// Throws a complaint when the picture cannot be decoded.
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
