import Foundation
import Subprocess

/// Draws pictures as text with `chafa`.
struct PictureViewer: Sendable {
    private static let program = "chafa"

    /// The folders in which `chafa` is looked for.
    let searchPath: String
    let isColored: Bool

    /// Whether `chafa` is installed. This may change while the shell runs.
    var isInstalled: Bool {
        searchPath.split(separator: ":").map { "\($0)/\(Self.program)" }
            .contains(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// The picture as lines of characters; nil if `chafa` is not installed or cannot draw it.
    func drawing(of picture: URL) async throws -> String? {
        guard isInstalled else { return nil }
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
