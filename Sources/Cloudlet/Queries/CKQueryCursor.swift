public import Foundation
internal import Records

/// Where to go on with a query: holds the query, its zone and the server's marker.
///
/// A cursor is not a snapshot: records saved in between may appear or not.
// Sendable because every property is constant and the query is never changed.
open class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let query: CKQuery
    let zoneID: CKRecordZoneID?
    let marker: Data
    /// What `now()` in the query means, on every page.
    let moment: Date

    init(query: CKQuery, zoneID: CKRecordZoneID?, marker: Data, moment: Date) {
        self.query = query
        self.zoneID = zoneID
        self.marker = marker
        self.moment = moment
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required convenience init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainCursor.self, as: Self.archiveKey, from: coder) else { return nil }
        self.init(plain)
    }

    init(_ plain: PlainCursor) {
        query = plain.query.query
        zoneID = plain.zone.map { CKRecordZoneID($0) }
        marker = plain.marker
        moment = plain.moment
    }

    /// Equal when both mark the same place of equal queries.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKQueryCursor else { return false }
        return other.marker == marker && other.zoneID == zoneID && other.query.recordType == query.recordType
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { marker.hashValue }

    /// The record type asked for, for people.
    open override var description: String {
        "<CKQueryCursor: \(query.recordType)>"
    }

    /// Cursors do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything needed to go on under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(PlainCursor(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKQueryCursor"
}

/// A cursor as archives hold it.
struct PlainCursor: Codable {
    var query: PlainQuery
    var zone: ZoneID?
    var marker: Data
    var moment: Date

    init(_ cursor: CKQueryCursor) {
        query = PlainQuery(cursor.query)
        zone = cursor.zoneID.map(ZoneID.init)
        marker = cursor.marker
        moment = cursor.moment
    }
}
