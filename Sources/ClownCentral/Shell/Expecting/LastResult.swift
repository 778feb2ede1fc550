// Owns what the command before `expect` came to.
import Foundation

/// The result that claims are about.
enum LastResult: Equatable, Sendable {
    case nothing
    case answer(Answer)
    case complaint(Complaint)
}
