// Owns how a chain of operations is to be run.
import Foundation

/// Operations of which each waits for the one before.
struct ChainRequest: Equatable, Sendable {
    /// How urgent the work is; it decides what becomes of it on a dead network.
    enum Quality: String, CaseIterable, Sendable {
        case userInteractive = "user-interactive"
        case userInitiated = "user-initiated"
        case utility
        case background
    }

    var count: Int
    /// After how many the rest is cancelled; never if nothing.
    var cancelledAfter: Int?
    var quality = Quality.utility
    /// Seconds that the network has for each round trip; as the framework has it if nothing.
    var timeout: TimeInterval?
}
