public import Cloudlet
public import CommandShell
import Foundation

extension ShellError {
    /// The `reason` of an error for a request that needs a signed-in person.
    static let signInRequired = "signInRequired"
}

extension CKError: ShellErrorConvertible {
    /// The CloudKit error as a shell prints it. For a partial failure, it is that of the first item that has
    /// an error of its own.
    public var shellError: ShellError {
        if code == .partialFailure, let inner = firstCulprit {
            var shellError = inner.shellError
            shellError.tree = explanation
            shellError.codes.insert("\(code)", at: 0)
            return shellError
        }
        if code == .operationCancelled { return .interrupted }
        var shellError = ShellError(code: "\(code)", message: descriptionWithoutAddress)
        shellError.tree = explanation
        shellError.codes = [shellError.code]
        switch code {
        case .notAuthenticated:
            shellError.exit = .notSignedIn
            // Any other cause, such as a token of another environment, has its next step in the message.
            if isSignInRequired {
                shellError.remedy = "as NAME"
                shellError.reason = ShellError.signInRequired
            }
        case .serverRecordChanged:
            shellError.exit = .conflict
            shellError.remedy = "repeat the command: the server's version is newer"
        case .requestRateLimited, .zoneBusy, .quotaExceeded, .serviceUnavailable, .limitExceeded:
            shellError.exit = .throttled
            shellError.remedy = retryAfterSeconds.map { "repeat the command in \(Int($0.rounded(.up))) s" }
        case .permissionFailure:
            shellError.remedy = "as NAME, with the name of a person who has the permission"
        default:
            break
        }
        return shellError
    }

    /// The error of an item that failed by itself, not because of other items in its batch. Among several,
    /// the choice is deterministic.
    private var firstCulprit: CKError? {
        let errors = (partialErrorsByItemID ?? [:]).compactMap { id, error in
            (error as? CKError).map { (id: "\((id.base as? CKRecord.ID)?.recordName ?? "\(id)")", error: $0) }
        }.sorted { $0.id < $1.id }
        return (errors.first { $0.error.code != .batchRequestFailed } ?? errors.first)?.error
    }
}

extension CloudTransportError: ShellErrorConvertible {
    /// The error for an unreachable server.
    public var shellError: ShellError {
        ShellError(code: "networkFailure", message: description, remedy: "check that the server runs")
    }
}
