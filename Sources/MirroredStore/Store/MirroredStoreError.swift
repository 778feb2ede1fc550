import GRDB
import LocalReplica

/// An error of a mirrored store: what failed, why, and what to do next.
public struct MirroredStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// The model has no such entity, attribute or relationship, or the entity is in no store.
        case unknownName
        /// A value has another type than the attribute, or breaks a rule of the model.
        case invalidValue
        /// The object does not exist.
        case notFound
        /// The delete rule of a relationship forbids the deletion.
        case deletionDenied
        /// The model and the file, or the model and the configurations of the stores, do not match.
        case incompatibleModel
        /// The objects belong to another share, or to shares of several people.
        case alreadyShared
        /// A new object in a store of shared objects belongs to no share.
        case notPlaced
        /// The person may not change the objects of this share.
        case notPermitted
        /// The file of a long value has not arrived on this device.
        case lacksFile
        /// The store stays on this device, or its database has no shares.
        case notShareable
        /// The history before this token was deleted.
        case historyExpired
        /// The disk is full, the folder cannot be written to, or the data is damaged.
        case storage
    }

    /// The kind of error.
    public let code: Code
    /// The entity, attribute and object, or the file, that the error concerns.
    public let culprit: String
    /// The cause.
    public let reason: String
    /// The next step for the caller.
    public let nextStep: String

    init(_ code: Code, _ culprit: String, _ reason: String, nextStep: String) {
        self.code = code
        self.culprit = culprit
        self.reason = reason
        self.nextStep = nextStep
    }

    /// Returns the error of an access to the database as one of the store.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as ReplicaError:
            MirroredStoreError(.storage, error.culprit, error.reason, nextStep: error.nextStep)
        case let error as DatabaseError:
            translated(ReplicaError(storage: error, error.sql ?? "the store"))
        default: error
        }
    }

    /// Culprit, reason and next step in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
