/// What one server knows beside its databases. Small, read often, written rarely, on disk before it answers.
///
/// All methods throw `RecordError`.
package protocol Directory:
    AccountDirectory, ContainerDirectory, CredentialDirectory, DiscoveryDirectory, PushDirectory,
    SchemaDirectory
{
    func close() async throws
}
