import Foundation

/// Everything of a kind that can be read, and what cannot: one record that another app wrote in its own way
/// hides no other.
struct Listing<Model: Sendable>: Sendable {
    var models: [Model] = []
    /// The records that cannot be read, and why.
    var unreadable: [RepositoryError] = []

    /// An empty list.
    init() {}

    /// Reads each record by itself; throws what is wrong with other things than a record.
    init<Record>(_ records: [Record], _ read: (Record) throws -> Model) throws {
        for record in records {
            do {
                models.append(try read(record))
            } catch let error as RepositoryError {
                unreadable.append(error)
            }
        }
    }
}
