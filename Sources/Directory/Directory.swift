/// What a server knows besides its databases: people, sessions, containers, tokens, devices and schemas.
/// Small, read often, written rarely.
///
/// The sentences above the protocols are promised by every implementation and checked by the contract suite.
///
/// - A call that is refused changes nothing.
/// - Calls that arrive together have the effect of one order of them.
///
/// All methods throw `RecordError`.
package protocol Directory:
    AccountDirectory, SessionDirectory, DiscoveryDirectory, ContainerDirectory, CredentialDirectory,
    PushDirectory, SchemaDirectory
{
    /// Ends the use of the directory. An acknowledged change stays.
    func close() async throws
}
