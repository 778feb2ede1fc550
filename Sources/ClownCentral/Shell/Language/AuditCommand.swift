// Owns what can be asked about how an app uses its server.
import Foundation

/// A command that adds up what was done so far.
enum AuditCommand: Equatable, Sendable {
    /// Requests by what they asked for; as figures and bars, or as figures alone.
    case stats(isPlain: Bool, forgets: Bool)
    /// The closing list: what of it this shell's requests keep.
    case checklist(forgets: Bool)
    /// Who pays for how much.
    case storage
    case chain(ChainRequest)
}
