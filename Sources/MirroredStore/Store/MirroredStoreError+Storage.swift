import GRDB
import LocalReplica
import ObjectModel

extension MirroredStoreError {
    /// Converts an error of the replica or of the database; returns any other error unchanged.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as ReplicaError:
            MirroredStoreError(Code(error.code), error.culprit, error.reason, nextStep: error.nextStep)
        case let error as DatabaseError:
            translated(ReplicaError(storage: error, error.sql ?? "the store"))
        default: error
        }
    }
}

extension MirroredStoreError.Code {
    fileprivate init(_ code: ReplicaError.Code) {
        switch code {
        case .damaged: self = .damaged
        case .newerVersion: self = .newerVersion
        case .storage, .unreadableFile, .notFound, .inUse, .otherDatabase: self = .storage
        }
    }
}
