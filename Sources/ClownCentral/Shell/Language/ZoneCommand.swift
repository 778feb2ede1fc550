// Owns what can be asked about zones.
import Foundation

/// A command about a zone of the private database.
enum ZoneCommand: Equatable, Sendable {
    case fill(zone: String, count: Int)
    case fetch(zone: String, pageSize: Int)
}
