// Owns the promise of the directory: people, their sessions, apps, and the schema of each container.

package import Records

/// What one server knows beside its databases. Small, read often, written rarely, on disk before it answers.
///
/// All methods throw `RecordError`.
package protocol Directory: AccountDirectory, ContainerDirectory, CredentialDirectory {
    /// The record types of a container in one environment.
    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema

    /// Replaces what is known of some types.
    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws

    func close() async throws
}
