import CloudletServer
import CommandShell
import Foundation

/// Something that shall go wrong on purpose: where, for whom, and how often.
struct FaultRequest: Hashable, Sendable {
    /// The names of the catalogue, as they are typed.
    static let names = FaultKind.allCases.map(\.rawValue)

    /// The same, each with what happens.
    static let candidates = FaultKind.allCases.map { Candidate($0.rawValue, $0.summary) }

    var name: String
    /// The only endpoint that it befalls, for example `records/modify`.
    var endpoint: String?
    /// The only device that it befalls.
    var device: String?
    /// How many calls get through before.
    var after: Int?
    /// How many calls it befalls; all if nothing.
    var times: Int?
    /// Seconds to wait, or of delay; what is usual if nothing.
    var seconds: Int?
}
