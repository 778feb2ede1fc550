internal import Records

/// Remembers of each session what the server last said of its account.
struct AccountWatch {
    private var statuses: [String: CKAccountStatus] = [:]

    /// Takes in what an answer says of the account of a session. Returns whether it is news: a session counts
    /// as available until something else is heard.
    mutating func note(_ status: CKAccountStatus, of session: String) -> Bool {
        let last = statuses[session] ?? .available
        statuses[session] = status
        return last != status
    }
}

extension CKAccountStatus {
    /// What an error says of the account; nil for nothing.
    init?(_ code: RecordError.Code) {
        switch code {
        case .accountRestricted: self = .restricted
        case .accountUnavailable: self = .temporarilyUnavailable
        case .authenticationRequired: self = .noAccount
        default: return nil
        }
    }
}
