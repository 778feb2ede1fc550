import CloudSync
import Cloudlet
import GRDB
import ObjectModel
import Records

/// The zones in which the records of objects can be.
enum ObjectZone {
    /// The zone of the objects that are not shared, in the person's private database.
    static let home = ZoneID(name: "com.apple.coredata.cloudkit.zone")

    /// The zone of the objects that belong to no share; nil: there are none.
    static func home(of scope: CKDatabase.Scope?) -> ZoneID? {
        switch scope {
        case .shared: nil
        case .public: PublicRecords.zone
        default: home
        }
    }

    private static let sharePrefix = "com.apple.coredata.cloudkit.share."

    /// The zone for the objects of a new share.
    static func share(_ name: String) -> ZoneID { ZoneID(name: sharePrefix + name) }

    /// Whether a zone with this name contains objects.
    static func isMirrored(_ name: String) -> Bool { name == home.name || name.hasPrefix(sharePrefix) }

    /// The SQL condition that selects these zones, and the default zone of the public database.
    static let condition = """
        (zone.name IN ('\(home.name)', '\(ZoneID.defaultName)') OR zone.name GLOB '\(sharePrefix)*')
        """

    /// The ID of the share that covers a zone.
    static func shareID(of zone: ZoneID) -> RecordID { RecordID(name: "cloudkit.zoneshare", zone: zone) }
}

// The zones of objects and pairs whose records are not in `ObjectZone.home`.
extension Graph {
    /// Whether any record is in a zone of a share.
    func hasPlaces() throws -> Bool { try hasRows(in: .places) }

    /// The zone of a share in which a record is; nil if it is in no share.
    func place(of name: String) throws -> ZoneID? {
        guard try hasPlaces() else { return nil }
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT zone, owner FROM mirrored_place WHERE name = ?"),
            arguments: [name]
        ).map { row in
            let owner: String = row["owner"]
            return ZoneID(name: row["zone"], owner: owner.isEmpty ? nil : owner)
        }
    }

    /// Stores the zone of a record; nil if it is in no share, or does not exist any more.
    func setPlace(_ name: String, _ zone: ZoneID?) throws {
        guard let zone else {
            guard try hasPlaces() else { return }
            return try database.cachedStatement(sql: "DELETE FROM mirrored_place WHERE name = ?")
                .execute(arguments: [name])
        }
        noteRow(in: .places)
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO mirrored_place VALUES (?, ?, ?)")
            .execute(arguments: [name, zone.name, zone.owner ?? ""])
    }

    /// Whether a relationship in the record of the object or pair `declaring` may lead to an object.
    ///
    /// Several people write the records of a share. Such a record must not relate to an object outside of the
    /// share, because the owner's next change would move that object into the share.
    func canReach(from declaring: String, to name: String) throws -> Bool {
        guard let zone = try place(of: declaring) else { return true }
        return try place(of: name) == zone
    }

    /// The root of the object with this name, or the record type of the pair; nil if there is neither.
    func type(of name: String) throws -> String? {
        for root in layout.roots where try has(MirroredObject.ID(root: root, name: name)) {
            return RecordTranslation.type(root)
        }
        let isPair = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM mirrored_pair WHERE record = ?)"),
            arguments: [name])
        return isPair == true ? RecordTranslation.pairType : nil
    }

    /// Stores that a record of an object or pair has been replaced by one in another zone. The record is
    /// deleted when the server has the other one.
    func leave(_ id: RecordID) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO mirrored_leaving VALUES (?, ?)", arguments: [id.name, id.zone.name])
    }
}
