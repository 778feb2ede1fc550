import Foundation
import Subprocess

/// Draws pictures as text with `chafa`.
struct PictureViewer: Sendable {
    private static let program = "chafa"

    let isColored: Bool

    /// Nil if `chafa` is not in a folder of `searchPath`.
    init?(searchPath: String, isColored: Bool) {
        let places = searchPath.split(separator: ":").map { "\($0)/\(Self.program)" }
        guard places.contains(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
        self.isColored = isColored
    }

    /// The picture as lines of characters; nil if `chafa` cannot draw it.
    func drawing(of picture: URL) async throws -> String? {
        let colors = isColored ? "256" : "none"
        let result = try await run(
            .name(Self.program),
            arguments: [
                "--format", "symbols", "--animate", "off", "--size", "60x24", "--colors", "\(colors)",
                picture.path,
            ],
            output: .string(limit: 1 << 20), error: .discarded)
        guard result.terminationStatus.isSuccess else { return nil }
        return result.standardOutput
    }
}
