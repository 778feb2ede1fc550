// Owns the two channels that a shell writes to.
import Foundation

/// Where data and talk go; writing data fails when nobody reads any more.
struct Outlet: Sendable {
    /// Standard output in a process.
    let data: @Sendable (String) throws -> Void
    /// Standard error in a process.
    let talk: @Sendable (String) -> Void

    /// The channels of this process.
    static let process = Outlet(
        data: { try FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
        talk: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
    )

    func write(_ rendering: Rendering) throws {
        if !rendering.data.isEmpty { try data(rendering.data) }
        if !rendering.talk.isEmpty { talk(rendering.talk) }
    }
}
