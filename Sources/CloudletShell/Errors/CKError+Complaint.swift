public import Cloudlet
public import CommandShell
import Foundation

extension Complaint {
    /// The code of the complaint that nobody is signed in.
    static let signInRequired = "signInRequired"
}

extension CKError: ComplaintConvertible {
    /// The complaint about an error of CloudKit. For a partial failure, it is about the first item that has
    /// an error of its own.
    public var complaint: Complaint {
        if code == .partialFailure, let inner = firstCulprit {
            var complaint = inner.complaint
            complaint.tree = explanation
            complaint.codes.insert("\(code)", at: 0)
            return complaint
        }
        if code == .operationCancelled { return .interrupted }
        var complaint = Complaint(code: "\(code)", message: descriptionWithoutAddress)
        complaint.tree = explanation
        complaint.codes = [complaint.code]
        switch code {
        case .notAuthenticated:
            complaint.exit = .notSignedIn
            complaint.remedy = "as NAME"
            if isSignInRequired { complaint.reason = Complaint.signInRequired }
        case .serverRecordChanged:
            complaint.exit = .conflict
            complaint.remedy = "repeat the command: the server's version is newer"
        case .requestRateLimited, .zoneBusy, .quotaExceeded, .serviceUnavailable, .limitExceeded:
            complaint.exit = .throttled
            complaint.remedy = retryAfterSeconds.map { "repeat the command in \(Int($0.rounded(.up))) s" }
        case .permissionFailure:
            complaint.remedy = "as NAME, with the name of a person who has the permission"
        default:
            break
        }
        return complaint
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

extension CloudTransportError: ComplaintConvertible {
    /// The complaint about an unreachable server.
    public var complaint: Complaint {
        Complaint(code: "networkFailure", message: description, remedy: "check that the server runs")
    }
}
