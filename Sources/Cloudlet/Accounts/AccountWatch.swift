internal import Records

/// Tracks the last account status that the server reported for each session.
struct AccountWatch {
    private var statuses: [String: CKAccountStatus] = [:]

    /// Records a session's account status from a server answer. Returns whether it changed; a session without
    /// a record counts as `.available`.
    mutating func record(_ status: CKAccountStatus, of session: String) -> Bool {
        let last = statuses[session] ?? .available
        statuses[session] = status
        return last != status
    }
}

extension CKAccountStatus {
    /// The account status that an error code implies; nil for codes that say nothing about the account.
    init?(_ code: RecordError.Code) {
        switch code {
        case .accountRestricted: self = .restricted
        case .accountUnavailable: self = .temporarilyUnavailable
        case .authenticationRequired: self = .noAccount
        default: return nil
        }
    }
}
