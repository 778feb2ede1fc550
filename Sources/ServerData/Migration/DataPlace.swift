package import AssetStore
package import CloudService
package import DataRows
package import Records

/// A place with all data of a server: a data folder, or an engine with an object store. While it is open, no
/// server may use it.
package protocol DataPlace: Sendable {
    /// The place as the operator knows it, without secrets.
    var name: String { get }

    /// The place as the operator writes it, without a password.
    var address: String { get }

    /// Whether the place has data.
    func state() async throws -> DataPlaceState

    /// The identifier by which an object store knows the folder or the installation; nil if the folder keeps
    /// the files.
    var objectStoreOwner: String? { get async throws }

    /// Marks an empty place as an unfinished copy, or goes on with one. Called before anything is written.
    func begin(_ copy: UnfinishedCopy) async throws

    /// Makes a complete copy usable for servers. Called after everything was written and compared.
    func finish(_ copy: UnfinishedCopy) async throws

    /// The mark of a place whose data were moved to another place; nil without one. Throws for a mark that
    /// cannot be read.
    var moved: MovedData? { get throws }

    /// Marks a data folder whose data were moved, so that no server uses it any more. A database is not
    /// marked.
    func mark(_ moved: MovedData) throws

    /// The content of the directory.
    var directory: any DirectoryContent { get throws }

    /// The record types of a container, as the directory of this place has them.
    func types(of container: String, in environment: CloudEnvironment) async throws -> [TypeSchema]

    /// The record databases, sorted.
    func databases() async throws -> [DatabaseKey]

    /// The content of a record database, which is created if it does not exist.
    ///
    /// - Parameter types: the record types whose indexes a new database gets.
    func content(of key: DatabaseKey, types: [TypeSchema]) async throws -> any RowDatabase

    /// Deletes a record database, which is closed.
    ///
    /// - Parameter withFiles: whether its files are deleted too.
    func remove(_ key: DatabaseKey, withFiles: Bool) async throws

    /// The files of a record database; nil if the place has none, because no object store was named.
    func files(of key: DatabaseKey) -> AssetStore?

    func close() async
}

/// Whether a place has data.
package enum DataPlaceState: Hashable, Sendable {
    case empty
    /// A copy was stopped.
    case unfinished(UnfinishedCopy)
    case complete
    /// It has data, but not those of all accounts and records.
    case other
}
