// Owns what can be asked about records as they are.
import Foundation

/// A command about public records of any type.
enum RecordCommand: Equatable, Sendable {
    case save(type: String, name: String, changes: [RecordRepository.Change])
    case show(name: String)
}
