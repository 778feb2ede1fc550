import Foundation
import Subprocess

/// The program that draws.
struct PictureViewer: Sendable {
    private static let program = "chafa"

    /// Whether colours are wanted.
    let isColored: Bool

    /// Nothing when the program is not installed.
    init?(searchPath: String, isColored: Bool) {
        let places = searchPath.split(separator: ":").map { "\($0)/\(Self.program)" }
        guard places.contains(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
        self.isColored = isColored
    }

    /// The picture in lines of characters; nothing when it cannot be drawn.
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
