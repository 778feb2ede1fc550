package import Records

/// Stores people's accounts, and their user record name in each container.
///
/// - An account that was added is found by its name.
/// - Looking up a name creates an account for it once.
/// - Accounts are sorted by name, all of them and in pages.
/// - A person signs in with the name, or with the e-mail address in any case; the name comes first.
/// - A name, e-mail address or phone number of one account cannot be any of these of another.
/// - A change replaces all data of an account except the password and the time of creation.
/// - Changing a missing account fails with `notFound`.
/// - A new password replaces the old one, and ends all sessions of the account with all its devices.
/// - Setting the password of a missing account fails with `notFound`.
/// - Removing an account removes its sessions, devices, badges, record names and memberships.
/// - An account keeps the first record name that it got in a container.
/// - Requesting a record name for a missing account fails with `notFound`.
/// - A record name identifies its account in its own container only.
/// - The containers of a record name are sorted by name.
package protocol AccountDirectory: Sendable {
    /// The account with that name, created with `newID` if there is none. Throws `exists` when the account
    /// would have to be created but the name is another account's e-mail address or phone number.
    func account(named name: String, newID: String, at time: Timestamp) async throws -> Account

    /// Adds an account. `password` is a hash. Throws `exists` when another account has the name, e-mail
    /// address or phone number.
    func add(_ account: Account, password: String?) async throws

    /// All accounts, sorted by name.
    func accounts() async throws -> [Account]

    /// The first accounts by name, at most `limit`, whose names come after `name`; nil begins with the first.
    func accounts(after name: String?, limit: Int) async throws -> [Account]

    /// The account with that name, otherwise the one with that e-mail address; nil if there is none.
    func account(signingInAs name: String) async throws -> Account?

    /// Replaces the data of the account with that `id`, and the hashes by which others find the person. The
    /// password and the time of creation stay. Throws `exists` as `add` does, and `notFound` for a missing
    /// account.
    func change(_ account: Account, hashes: ContactHashes) async throws

    /// The hash of the account's password; nil if it has none.
    func password(of account: String) async throws -> String?

    /// Replaces the hash of the password, and ends all sessions of the account with all its devices. Throws
    /// `notFound` for a missing account.
    func setPassword(_ password: String?, of account: String) async throws -> EndedSessions

    /// Removes an account with all its data. Does nothing for a missing account.
    func removeAccount(_ account: String) async throws -> EndedSessions

    /// The person's record name in a container: `candidate` on the first call, the same name on later calls.
    /// Throws `notFound` for a missing account.
    func userRecordName(of account: Account, in container: String, candidate: String) async throws -> String

    /// The person's record names, keyed by container.
    func userRecordNames(of account: String) async throws -> [String: String]

    /// The account with a record name; nil if there is none.
    func account(withUserRecordName name: String, in container: String) async throws -> Account?

    /// The containers in which somebody has this record name, sorted; usually at most one, because record
    /// names are random.
    func containers(withUserRecordName name: String) async throws -> [String]
}
