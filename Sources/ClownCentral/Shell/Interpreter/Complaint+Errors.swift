// Owns the one place where errors of the cloud, the repositories and the system become the shell's complaint.
import Cloudlet
import Foundation
import LocalReplica

extension Complaint {
    /// The complaint that stands for any error.
    init(_ error: any Error) {
        if let complaint = error as? Complaint {
            self = complaint
        } else if error is CancellationError {
            self = .interrupted
        } else if let error = error as? RepositoryError {
            self.init(error)
        } else if let error = error as? SeedError {
            self.init(code: "seeds", message: error.description)
        } else if let error = error as? CloudTransportError {
            self.init(
                code: "networkFailure", message: error.description,
                remedy: "look whether the server runs")
        } else if let error = error as? ReplicaError {
            self.init(
                code: "\(error.code)", message: "\(error.culprit): \(error.reason)", remedy: error.nextStep)
        } else if let error = error as? CKError {
            self.init(cloud: error)
        } else {
            self.init(code: "failed", message: "\(error)")
        }
    }

    /// What is said when somebody pressed Ctrl-C.
    static let interrupted = Complaint(code: "operationCancelled", message: "stopped", exit: .interrupted)

    /// The same complaint about one item of a batch.
    func naming(_ item: String) -> Complaint {
        var complaint = self
        complaint.message = "\(item): \(message)"
        return complaint
    }

    private init(_ error: RepositoryError) {
        switch error {
        case .unreadable(let recordType, let recordName, let field):
            let message = "the \(recordType) record \(recordName) has no usable field \(field)"
            self.init(code: "unreadableRecord", message: message)
        case .noFile(let photo, let field):
            self.init(code: "noFile", message: "the photo \(photo) has no \(field)")
        }
    }

    /// The error of a batch is that of the first item which has one of its own.
    private init(cloud error: CKError) {
        if error.code == .partialFailure, let inner = error.firstCulprit {
            self.init(cloud: inner)
            tree = error.explanation
            codes.insert("\(error.code)", at: 0)
            return
        }
        self.init(code: "\(error.code)", message: error.localizedDescription)
        tree = error.explanation
        codes = [code]
        switch error.code {
        case .notAuthenticated:
            exit = .notSignedIn
            remedy = "as NAME"
        case .serverRecordChanged:
            exit = .conflict
            remedy = "do it again: the server's version is newer"
        case .requestRateLimited, .zoneBusy, .quotaExceeded, .serviceUnavailable, .limitExceeded:
            exit = .throttled
            remedy = error.retryAfterSeconds.map { "again in \(Int($0.rounded(.up))) s" }
        case .operationCancelled:
            self = .interrupted
        case .permissionFailure:
            remedy = "as NAME, with the name of somebody who may"
        default:
            break
        }
    }
}

extension CKError {
    /// What is wrong with an item itself, not with its neighbours in a batch; of several the same each time.
    fileprivate var firstCulprit: CKError? {
        let errors = (partialErrorsByItemID ?? [:]).compactMap { id, error in
            (error as? CKError).map { (id: "\((id.base as? CKRecord.ID)?.recordName ?? "\(id)")", error: $0) }
        }.sorted { $0.id < $1.id }
        return (errors.first { $0.error.code != .batchRequestFailed } ?? errors.first)?.error
    }
}
