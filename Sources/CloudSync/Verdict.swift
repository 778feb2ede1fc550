import Cloudlet
import Foundation

/// What an error means for a sync: forty codes, a dozen decisions.
enum Verdict: Equatable {
    // For a request or a single record.

    /// Nothing is wrong with this one: again with the next batch.
    case again
    /// The server says when.
    case wait(seconds: Double)
    /// Nobody says when: wait longer each time.
    case backOff
    /// Who is signed in has to be asked again.
    case checkAccount
    /// The batch was too large.
    case halve
    /// The person's storage is full: nothing is sent for a while, fetching goes on.
    case storageFull
    /// Somebody cancelled.
    case stop

    // For a zone.

    /// It was deleted, and is not made again by itself; after a reset of encrypted data, all that is here
    /// goes up again.
    case zoneGone(isReset: Bool)
    /// The person removed the app's data: it goes here, too, and is not sent again.
    case zonePurged
    /// The token is too old: fetch from the beginning.
    case startOver

    // For a single record.

    /// Somebody was faster: merge.
    case merge
    /// The record that was to be changed is gone.
    case recordGone
    /// The server will not have it: it stays here, and is shown as refused.
    case refuse

    /// Whether the server may have done what was asked, though it said nothing.
    static func leavesDoubt(_ error: any Error) -> Bool {
        guard let error = error as? CKError, error.code != .networkUnavailable else {
            return !(error is CKError)
        }
        switch Verdict(error) {
        case .backOff, .stop, .refuse, .again: return true
        default: return false
        }
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
            self = inner?.first { $0.code != .batchRequestFailed }.map(Verdict.init) ?? .again
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
