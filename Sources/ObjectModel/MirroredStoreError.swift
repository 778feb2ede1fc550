/// An error of a mirrored store or of its model: what failed, why, and what to do next.
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
        /// The model breaks a rule, its file cannot be read, or it does not match the store's file or the
        /// configurations of the stores.
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
        /// The disk is full, the folder cannot be written to, or another process uses the database.
        case storage
        /// Stored data cannot be read.
        case damaged
        /// A newer version of the app has written the store's file.
        case newerVersion
    }

    /// The kind of error.
    public let code: Code
    /// The entity, attribute and object, or the file, that the error concerns.
    public let culprit: String
    /// The cause.
    public let reason: String
    /// The next step for the caller.
    public let nextStep: String

    package init(_ code: Code, _ culprit: String, _ reason: String, nextStep: String) {
        self.code = code
        self.culprit = culprit
        self.reason = reason
        self.nextStep = nextStep
    }

    /// Culprit, reason and next step in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
