import Foundation

/// The result that claims refer to.
public enum LastResult: Equatable, Sendable {
    case nothing
    case answer(Answer)
    case shellError(ShellError)
}
