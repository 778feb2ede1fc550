public import CommandShell
public import LocalReplica

extension RepositoryError: ComplaintConvertible {
    var complaint: Complaint {
        switch self {
        case .unreadable(let recordType, let recordName, let field):
            let message = "the \(recordType) record \(recordName) has no usable field \(field)"
            return Complaint(code: "unreadableRecord", message: message)
        case .noFile(let photo, let field):
            return Complaint(code: "noFile", message: "the photo \(photo) has no \(field)")
        }
    }
}

extension SeedError: ComplaintConvertible {
    var complaint: Complaint { Complaint(code: "seeds", message: description) }
}

extension ReplicaError: @retroactive ComplaintConvertible {
    /// The error as a complaint, with the replica's next step as remedy.
    public var complaint: Complaint {
        Complaint(code: "\(code)", message: "\(culprit): \(reason)", remedy: nextStep)
    }
}
