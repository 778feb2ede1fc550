public import Foundation
internal import Records

/// The start of a query's next page: the query, its zone and the server's marker.
///
/// A cursor is not a snapshot: records that are saved between two pages may or may not appear.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckqueryoperation/cursor-swift.class>.
// Sendable because every property is immutable and the query is not modified.
open class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let query: CKQuery
    let zoneID: CKRecordZoneID?
    let marker: Data
    /// The time that `now()` in the query stands for, on every page.
    let moment: Date

    init(query: CKQuery, zoneID: CKRecordZoneID?, marker: Data, moment: Date) {
        self.query = query
        self.zoneID = zoneID
        self.marker = marker
        self.moment = moment
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required convenience init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedCursor.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.init(plain)
    }

    init(_ plain: ArchivedCursor) {
        query = plain.query.query
        zoneID = plain.zone.map { CKRecordZoneID($0) }
        marker = plain.marker
        moment = plain.moment
    }

    /// Equal if markers, zones and record types are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKQueryCursor else { return false }
        return other.marker == marker && other.zoneID == zoneID && other.query.recordType == query.recordType
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { marker.hashValue }

    /// The record type of the query, for logs.
    open override var description: String {
        "<CKQueryCursor: \(query.recordType)>"
    }

    /// Returns the same object, because a cursor is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the query, its zone and the marker under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedCursor(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKQueryCursor"
}

/// The archived form of a cursor.
struct ArchivedCursor: Codable {
    var query: ArchivedQuery
    var zone: ZoneID?
    var marker: Data
    var moment: Date

    init(_ cursor: CKQueryCursor) {
        query = ArchivedQuery(cursor.query)
        zone = cursor.zoneID.map(ZoneID.init)
        marker = cursor.marker
        moment = cursor.moment
    }
}
