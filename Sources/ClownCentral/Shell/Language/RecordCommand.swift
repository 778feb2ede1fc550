// Owns what can be asked about records as they are.
import Foundation

/// A command about records of any type: public ones, or those of a zone of the person's own.
struct RecordCommand: Equatable, Sendable {
    /// What to do.
    enum Deed: Equatable, Sendable {
        case save(type: String, name: String, changes: [RecordRepository.Change])
        case show(name: String)
        case delete(name: String)
        case find(type: String, condition: String?, limit: Int)
    }

    let deed: Deed
    let zone: String?
}
