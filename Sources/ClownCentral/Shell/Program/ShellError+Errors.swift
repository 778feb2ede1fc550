public import CommandShell
public import LocalReplica

extension RepositoryError: ShellErrorConvertible {
    var shellError: ShellError {
        switch self {
        case .unreadable(let recordType, let recordName, let field):
            let message = "the \(recordType) record \(recordName) has no usable field \(field)"
            return ShellError(code: "unreadableRecord", message: message)
        case .noFile(let photo, let field):
            return ShellError(code: "noFile", message: "the photo \(photo) has no \(field)")
        }
    }
}

extension SeedError: ShellErrorConvertible {
    var shellError: ShellError { ShellError(code: "seeds", message: description) }
}

extension ReplicaError: @retroactive ShellErrorConvertible {
    /// The error as a complaint, with the replica's next step as remedy.
    public var shellError: ShellError {
        ShellError(code: "\(code)", message: "\(culprit): \(reason)", remedy: nextStep)
    }
}
