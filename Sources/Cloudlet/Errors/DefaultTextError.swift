import Foundation

/// An error without a description in its user info. Its `localizedDescription` has the wording of Apple's
/// systems, because Foundation for Linux writes "could not" where apps expect "couldn’t".
// Sendable because an error is immutable.
final class DefaultTextError: NSError, @unchecked Sendable {
    /// The standard sentence, with the failure reason if there is one.
    override var localizedDescription: String {
        let reason = userInfo[NSLocalizedFailureReasonErrorKey] as? String
        return "The operation couldn’t be completed. " + (reason ?? "(\(domain) error \(code).)")
    }

    /// The error itself if it has a description, otherwise an equal `DefaultTextError`.
    static func wrapping(_ error: NSError) -> NSError {
        if error is DefaultTextError || error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        return DefaultTextError(domain: error.domain, code: error.code, userInfo: error.userInfo)
    }
}
