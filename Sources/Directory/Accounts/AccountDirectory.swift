package import Records

/// People and their record names.
///
/// - An account that was added is found by its name.
/// - Looking up a name makes an account for it once.
/// - Accounts are listed in the order of their names.
/// - A person signs in with the name, or with the e-mail address in any case; the name comes first.
/// - A name, e-mail address or phone number belongs to one account only, and serves as no other's name.
/// - A change replaces what is known of an account, except password and time of creation.
/// - Changing a missing account fails with `notFound`.
/// - A new password replaces the old one, and ends all sessions of the account with all its devices.
/// - Setting the password of a missing account fails with `notFound`.
/// - An account that is removed takes sessions, devices, badges, record names and memberships with it.
/// - An account keeps the first record name that it got in a container.
/// - A missing account gets no record name, but `notFound`.
/// - A record name leads to its account in its own container only.
package protocol AccountDirectory: Sendable {
    /// The account of that name, made with `newID` if there is none. Throws `exists` when it would have to be
    /// made, and the name is another account's e-mail address or phone number.
    func account(named name: String, newID: String, at time: Timestamp) async throws -> Account

    /// Adds an account; `password` is a hash. Throws `exists` when another account has the name, e-mail
    /// address or phone number.
    func add(_ account: Account, password: String?) async throws

    /// All accounts in the order of their names.
    func accounts() async throws -> [Account]

    /// The account of that name, or else of that e-mail address; nil if there is none.
    func account(signingInAs name: String) async throws -> Account?

    /// Replaces what is known of the person with that `id`, except the password, and the hashes by which the
    /// person is found. Throws as `add` does, and `notFound`.
    func change(_ account: Account, hashes: ContactHashes) async throws

    /// The hash of the account's password; nil if it has none.
    func password(of account: String) async throws -> String?

    /// Replaces the hash of the password and ends all sessions of the account, with all its devices. Throws
    /// `notFound`.
    func setPassword(_ password: String?, of account: String) async throws -> EndedSessions

    /// Removes an account and all that belongs to it.
    func removeAccount(_ account: String) async throws -> EndedSessions

    /// The person's record name in a container: `candidate` the first time, the same ever after. Throws
    /// `notFound`.
    func userRecordName(of account: Account, in container: String, candidate: String) async throws -> String

    /// The person's record names by container.
    func userRecordNames(of account: String) async throws -> [String: String]

    /// The account with a record name; nil if there is none.
    func account(withUserRecordName name: String, in container: String) async throws -> Account?
}
