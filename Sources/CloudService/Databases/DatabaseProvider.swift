// Owns the seam through which the service reaches databases without knowing what keeps them.

package import AssetStore
package import RecordStore

/// A database with its files.
package struct OpenDatabase: Sendable {
    package var key: DatabaseKey
    package var records: any RecordStore
    package var assets: AssetStore

    package init(key: DatabaseKey, records: any RecordStore, assets: AssetStore) {
        self.key = key
        self.records = records
        self.assets = assets
    }
}

/// Opens databases, each once; the wiring decides with which store.
package protocol DatabaseProvider: Sendable {
    /// The database, made if it is new.
    func database(_ key: DatabaseKey) async throws -> OpenDatabase
}
