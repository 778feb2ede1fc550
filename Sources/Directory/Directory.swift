package import Records

/// Stores everything that a server needs besides records: people, sessions, containers, tokens, devices and
/// schemas. The data is small, read often and written rarely.
///
/// Each sentence in the lists above the protocols is a requirement for every implementation, and the title of
/// a test in the contract suite.
///
/// - A call that is refused changes nothing.
/// - Concurrent calls have the effect of the same calls in some order.
///
/// All methods throw `RecordError`.
package protocol Directory:
    AccountDirectory, SessionDirectory, DiscoveryDirectory, ContainerDirectory, CredentialDirectory,
    PushDirectory, SchemaDirectory, SharedZoneDirectory, LinkedAddressDirectory,
    OperatorDirectory, AuditDirectory
{
    /// The changes that other processes make to the directory. Only one task may iterate over them. A change
    /// comes after it was committed. Nothing comes if only one process can use the directory.
    var changes: AsyncStream<DirectoryChange> { get }

    /// The reason why `changes` may lack a change now, so that what is cached of the directory can be out of
    /// date; nil if there is none, as far as is known. Does not wait for the directory.
    var obstacle: RecordError? { get }

    /// Closes the directory. Acknowledged changes are kept.
    func close() async throws
}
