// Owns what can be asked about zones.
import Cloudlet
import Foundation

/// A command about a zone of the private database.
enum ZoneCommand: Equatable, Sendable {
    case fill(zone: String, count: Int, isAtomic: Bool)
    /// `file` keeps what was fetched for the next process.
    case fetch(zone: String, pageSize: Int, file: Word?)
    case changes
    /// What somebody does in the settings of a device, outside of the app.
    case remove(zone: String, reason: CKDatabase.DatabaseChange.Deletion.Reason)
}
