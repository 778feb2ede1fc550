package import DataRows
package import Records

/// An engine whose databases can be copied to another place, and from one.
package protocol CopyableEngine: RecordStoreEngine {
    /// The content of a database, which gets a place in the engine if it has none.
    ///
    /// - Parameter types: the types of the schema, whose indexes a new database gets.
    func content(of name: String, types: [TypeSchema], codec: any FieldCodec) async throws -> any RowDatabase

    /// Binds the engine to another installation than before.
    func rebind(to installation: Installation) async throws
}
