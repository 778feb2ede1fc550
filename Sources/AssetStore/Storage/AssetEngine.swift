/// An object store that keeps the files of any number of databases for a server, each under a name.
///
/// A name has the form of a path, such as `containers/x/production/public-assets`.
package protocol AssetEngine: Sendable {
    /// Where the files are, for messages to operators: without secrets, such as a bucket and its host.
    var place: String { get }

    /// The bytes of a file that are in memory while it is received.
    var uploadBuffer: Int { get }

    /// The storage for the files of one database.
    ///
    /// - Parameter node: Identifies this server among those that use the object store, after each start.
    func storage(named name: String, node: String) -> any AssetStorage

    /// An address from which anyone can read a file until it expires, without this server; nil if clients do
    /// not read from the object store.
    func address(of fileChecksum: String, named name: String, seconds: Int) -> String?

    /// Deletes the files of all databases whose names begin with this path. Does nothing if there are none.
    func remove(below path: String) async throws

    /// The number of files, and their bytes, of the databases whose names begin with this path.
    func usage(below path: String) async throws -> (files: Int64, bytes: Int64)

    /// Checks that the object store accepts requests, and binds it to one data folder, whose records own the
    /// files. Returns the identifier of the folder to which it is bound: this one, or an earlier one.
    ///
    /// - Parameter folder: the identifier of the folder; nil to ask only.
    func bind(to folder: String?) async throws -> String?

    /// Closes all connections.
    func close() async
}
