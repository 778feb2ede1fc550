import Foundation
internal import Records
internal import RecordsWire

extension CKError {
    /// Creates the error that an app sees from the server's error.
    ///
    /// The text consists of the server's reason and what to do about it. The reason alone is stored under
    /// `ServerErrorDescription`.
    ///
    /// - Parameter isSignedIn: Whether a person is signed in. `accessDenied` becomes `permissionFailure` for
    ///   a signed-in person; otherwise it becomes `notAuthenticated`, because signing in may help.
    init(_ error: RecordError, isSignedIn: Bool = true) {
        var text = error.description
        let isForSomebody = error.code == .accessDenied && !isSignedIn
        if isForSomebody { text += " - nobody is signed in" }
        let plain = text
        if error.code == .authenticationRequired, let place = error.redirectURL {
            text += " Sign in at \(place)"
        }
        let code = isForSomebody ? .notAuthenticated : Code(error.code)
        var made = CKError.make(code, text, reason: error.reason)
        if isForSomebody || error.code == .authenticationRequired {
            made = made.adding(plain, as: CKError.signInKey)
        }
        if let field = error.unknownField {
            made = made.adding(field, as: CKError.unknownFieldKey)
        }
        if error.code == .zoneReset {
            made = made.adding(NSNumber(value: true), as: CKErrorUserDidResetEncryptedDataKey)
        }
        if let wait = error.retryAfter {
            self = made.adding(NSNumber(value: Double(wait)), as: CKErrorRetryAfterKey)
        } else {
            self = made
        }
    }

    /// Creates the error for a save that the server refused. The error of a conflict contains the client's,
    /// the server's and the ancestor version.
    init(_ error: RecordError, saving record: CKRecord, context: WireContext) {
        var made = CKError(error, isSignedIn: context.isSignedIn)
        if made.code == .serverRecordChanged {
            made = made.adding(record, as: CKRecordChangedErrorClientRecordKey)
            if let server = error.serverRecord {
                let copy = context.record(server)
                made = made.adding(copy, as: CKRecordChangedErrorServerRecordKey)
            }
            if let ancestor = record.ancestor {
                made = made.adding(ancestor, as: CKRecordChangedErrorAncestorRecordKey)
            }
        }
        self = made
    }

    /// Creates the error for a deletion that the server refused. The error of a conflict contains the
    /// server's version.
    init(_ error: RecordError, deletingWith context: WireContext) {
        let made = CKError(error, isSignedIn: context.isSignedIn)
        guard made.code == .serverRecordChanged, let server = error.serverRecord else {
            self = made
            return
        }
        self = made.adding(context.record(server), as: CKRecordChangedErrorServerRecordKey)
    }

    /// Creates the error for a request that ended without a usable answer.
    ///
    /// - Parameter mayHaveActed: Whether the server may have carried out the request before its answer was
    ///   lost, as with a save.
    init(failure: any Error, mayHaveActed: Bool = false) {
        switch failure {
        case let error as CKError: self = error
        case let error as RecordError: self = CKError(error)
        case is CancellationError:
            self = .make(
                .operationCancelled,
                "The operation was cancelled - fetch to see which changes the server had already made")
        case let error as CloudTransportError:
            let code = Code(error, mayHaveActed: mayHaveActed)
            self = CKError.make(code, Self.sentence(error.description) + code.advice)
                .adding(error as NSError, as: NSUnderlyingErrorKey)
        default: self = .make(.internalError, "An unexpected error occurred: \(failure)")
        }
    }

    /// Creates the error for an asset file that cannot be downloaded. The server's `notFound` and
    /// `internalError` become `.assetNotAvailable`, because they concern only the file: the record exists.
    init(ofFile failure: any Error) {
        guard let error = failure as? RecordError, [.notFound, .internalError].contains(error.code) else {
            self = CKError(failure: failure)
            return
        }
        self = .make(
            .assetNotAvailable,
            "The server does not have the file of an asset any more (\(error.reason)) - save the record again"
                + " on a device that still has the file")
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Returns the error of a missing asset file with its record, which has the asset files that could be
    /// downloaded.
    func holding(_ record: CKRecord) -> CKError { adding(record, as: Self.incompleteRecordKey) }

    /// The record whose asset file could not be downloaded, without that file; nil for other errors.
    package var incompleteRecord: CKRecord? { userInfo[Self.incompleteRecordKey] as? CKRecord }

    private static let incompleteRecordKey = "CloudletIncompleteRecord"

    private func adding(_ value: Any, as key: String) -> CKError {
        var userInfo = userInfo
        userInfo[key] = value
        return CKError(code, userInfo: userInfo)
    }
}

extension CKError.Code {
    /// Maps the server's codes to CloudKit's.
    init(_ code: RecordError.Code) {
        self = Self.named[code.guide.rawValue] ?? .serverRejectedRequest
    }

    /// The codes by name. Each case of the guide has the name of a code.
    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

    /// The end of the error text for transport errors: what to do next.
    fileprivate var advice: String {
        switch self {
        case .networkUnavailable, .networkFailure: " - try again later"
        case .serverResponseLost: " - fetch to see whether the server has acted, or send the same again"
        case .assetNotAvailable: " - check the file's permissions"
        default: ""
        }
    }

    fileprivate init(_ error: CloudTransportError, mayHaveActed: Bool) {
        switch error {
        case .unreachable: self = .networkUnavailable
        case .connectionLost: self = mayHaveActed ? .serverResponseLost : .networkFailure
        case .timedOut: self = .networkFailure
        case .file: self = .assetNotAvailable
        case .badTarget: self = .badContainer
        }
    }
}
