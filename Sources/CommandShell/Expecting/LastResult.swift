import Foundation

/// The result that claims are about.
public enum LastResult: Equatable, Sendable {
    case nothing
    case answer(Answer)
    case complaint(Complaint)
}
