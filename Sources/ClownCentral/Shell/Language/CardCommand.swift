// Owns what can be asked about contact cards.
import Foundation

/// A command about contact cards.
enum CardCommand: Equatable, Sendable {
    case create(name: String, changes: [ContactCard.Change])
    case show(name: String)
    case edit(
        name: String, changes: [ContactCard.Change], policy: ContactCardRepository.Policy, merging: Bool)
}
