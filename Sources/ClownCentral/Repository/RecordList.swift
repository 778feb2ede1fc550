import Foundation

/// The models that could be read from a list of records, and an error for each record that could not. So a
/// malformed record, which another app may have written, does not hide the others.
struct RecordList<Model: Sendable>: Sendable {
    var models: [Model] = []
    /// One error for each record that could not be read.
    var unreadable: [RepositoryError] = []

    init() {}

    /// Reads each record on its own. Collects errors of type `RepositoryError` and rethrows all others.
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
