import Cloudlet
import Foundation

/// The decision of a sync after an error. Maps all codes of `CKError` to a few decisions.
enum ErrorDecision: Equatable {
    // Decisions about a request or a single record.

    /// The record did not cause the error: send it again with the next batch.
    case again
    /// Wait as long as the server asks for.
    case wait(seconds: Double)
    /// Wait, longer after each failure; the server did not say how long.
    case backOff
    /// Check again who is signed in.
    case checkAccount
    /// Halve the batch: it was too large.
    case halve
    /// Pause the sending to the zones of an owner, but not fetching: the owner's storage is full.
    case storageFull
    /// Stop: the operation was cancelled.
    case stop

    // Decisions about a zone.

    /// The zone was deleted: close it. After a reset of encrypted data, send everything again instead.
    case zoneGone(isReset: Bool)
    /// The person removed the app's data: remove it here too, and do not send it again.
    case zonePurged
    /// The token has expired: fetch from the beginning.
    case startOver

    // Decisions about a single record.

    /// Another device changed the record first: merge.
    case merge
    /// The record to change does not exist any more.
    case recordGone
    /// The server refuses the record: keep it here, and show it as refused.
    case refuse

    /// Whether the server may have executed a request that failed with this error.
    static func mayHaveExecuted(_ error: any Error) -> Bool {
        guard let error = error as? CKError, error.code != .networkUnavailable else {
            return !(error is CKError)
        }
        switch ErrorDecision(error) {
        case .backOff, .stop, .refuse, .again: return true
        default: return false
        }
    }

    /// Whether the server failed to process a record, for a reason that may pass.
    static func isServerFault(_ error: any Error) -> Bool {
        (error as? CKError)?.code == .serverRejectedRequest
    }

    init(_ error: any Error) {
        guard let error = error as? CKError else {
            self = error is CancellationError ? .stop : .backOff
            return
        }
        self.init(error)
    }

    init(_ error: CKError) {
        switch error.code {
        case .partialFailure:
            let inner = error.partialErrorsByItemID?.values.compactMap { $0 as? CKError }
            self = inner?.first { $0.code != .batchRequestFailed }.map(ErrorDecision.init) ?? .again
        case .batchRequestFailed: self = .again
        case .requestRateLimited, .zoneBusy, .serviceUnavailable:
            self = error.retryAfterSeconds.map { .wait(seconds: $0) } ?? .backOff
        case .networkUnavailable, .networkFailure, .serverResponseLost, .internalError, .assetNotAvailable:
            self = .backOff
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted:
            self = .checkAccount
        case .limitExceeded: self = .halve
        case .quotaExceeded: self = .storageFull
        case .operationCancelled: self = .stop
        case .zoneNotFound:
            let isReset = (error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? NSNumber)?.boolValue
            self = .zoneGone(isReset: isReset ?? false)
        case .userDeletedZone: self = .zonePurged
        case .changeTokenExpired: self = .startOver
        case .serverRecordChanged: self = .merge
        case .unknownItem: self = .recordGone
        default: self = .refuse
        }
    }
}
