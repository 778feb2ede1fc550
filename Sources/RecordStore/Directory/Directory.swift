// Owns the promise of the directory: people, their sessions, and the schema of each container.

package import Records

/// A person who can sign in.
package struct Account: Hashable, Sendable {
    /// Random, and known to the server only.
    package var id: String
    /// The name by which the person signs in.
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What one server knows beside its databases. Small, read often, written rarely, on disk before it answers.
///
/// All methods throw `RecordError`.
package protocol Directory: ContainerDirectory {
    /// The account of that name, made with `newID` if there is none.
    func account(named name: String, newID: String) async throws -> Account

    /// Remembers a session by the hash of its token.
    func addSession(hash: [UInt8], account: Account, at time: Timestamp) async throws

    /// Whose session it is; nil if nobody's.
    func account(ofSession hash: [UInt8]) async throws -> Account?

    /// The person's record name in a container: `candidate` at first, the same ever after (talk 1,
    /// "Identity").
    func userRecordName(of account: Account, in container: String, candidate: String) async throws -> String

    /// The record types of a container in one environment.
    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema

    /// Replaces what is known of some types.
    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws

    func close() async throws
}
