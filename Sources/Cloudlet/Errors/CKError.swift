public import Foundation

/// An error of the service or of the way to it.
///
/// Wraps an `NSError` of the domain `CKErrorDomain`: `error as? CKError`, `catch CKError.networkFailure` and
/// `(error as NSError).code` all work, for errors made here and by apps alike.
public struct CKError: _BridgedStoredNSError {
    /// The wrapped error.
    public let _nsError: NSError

    /// Wraps an error of the domain `CKErrorDomain`.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The domain, for bridging.
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// The domain of every error of this type.
    public static var errorDomain: String { CKErrorDomain }
}

extension CKError: _ObjectiveCBridgeable {
    /// The class that this type bridges to.
    public typealias _ObjectiveCType = NSError

    /// The wrapped error.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error if it is of this domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Wraps an error if it is of this domain; false otherwise.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) -> Bool {
        result = source.domain == CKErrorDomain ? CKError(_nsError: source) : nil
        return result != nil
    }

    /// Wraps any error; a missing one becomes `.internalError`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
        CKError(_nsError: source ?? NSError(domain: CKErrorDomain, code: Code.internalError.rawValue))
    }
}

extension CKError {
    /// The error of each item that failed, with `.partialFailure`.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// The version that the client's changes started from, with `.serverRecordChanged`, when it is known.
    public var ancestorRecord: CKRecord? {
        userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
    }

    /// The version on the server, with `.serverRecordChanged`: merge into this one and save it.
    public var serverRecord: CKRecord? {
        userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
    }

    /// The version that could not be saved, with `.serverRecordChanged`.
    public var clientRecord: CKRecord? {
        userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
    }

    /// Seconds to wait before trying again; nil when trying again does not help.
    public var retryAfterSeconds: Double? {
        (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue
    }
}
