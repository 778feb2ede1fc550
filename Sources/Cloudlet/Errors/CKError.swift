public import Foundation

/// An error of the service or of the connection to it.
///
/// It wraps an `NSError` of the domain `CKErrorDomain`: `error as? CKError`, `catch CKError.networkFailure`
/// and `(error as NSError).code` all work, for errors of this module and for errors that an app creates.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckerror>.
public struct CKError: _BridgedStoredNSError {
    /// The error that the code was taken from.
    public let _nsError: NSError

    /// Wraps an error of the domain `CKErrorDomain`.
    public init(_nsError: NSError) {
        self._nsError = DefaultTextError.wrapping(_nsError)
    }

    /// The error domain, for bridging.
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// The error domain of this type.
    public static var errorDomain: String { CKErrorDomain }
}

extension CKError {
    /// The text of the error, or the general sentence of Apple's systems if it has none.
    public var localizedDescription: String { _nsError.localizedDescription }
}

extension CKError: _ObjectiveCBridgeable {
    /// The class that this type bridges to.
    public typealias _ObjectiveCType = NSError

    /// The error that the code was taken from.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error if it belongs to this domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Wraps an error if it belongs to this domain, and returns whether it does.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) -> Bool {
        result = source.domain == CKErrorDomain ? CKError(_nsError: source) : nil
        return result != nil
    }

    /// Wraps any error; nil becomes `.internalError`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
        CKError(_nsError: source ?? NSError(domain: CKErrorDomain, code: Code.internalError.rawValue))
    }
}

extension CKError {
    /// For `.partialFailure`: the error of each failed item.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// For `.serverRecordChanged`: the version that the client's changes are based on, if known.
    public var ancestorRecord: CKRecord? {
        userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
    }

    /// For `.serverRecordChanged`: the version on the server. Merge your changes into this record and save
    /// it. nil if you may not read it. Also nil if your record was new, and if the other conflicts of the
    /// request have 4 MB of records already: then fetch the record.
    public var serverRecord: CKRecord? {
        userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
    }

    /// For `.serverRecordChanged`: the version that the client tried to save.
    public var clientRecord: CKRecord? {
        userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
    }

    /// How many seconds to wait before trying again; nil if the server did not ask for a pause.
    public var retryAfterSeconds: Double? {
        (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue
    }
}
