/// The names of record types and fields of mirrored records (*Reading CloudKit Records for Core Data*).
package enum MirroredName {
    /// The zone of the records in the private database.
    package static let zone = "com.apple.coredata.cloudkit.zone"
    /// The type of the records that connect two objects of a many-to-many relationship.
    package static let pairType = "CDMR"
    package static let pairFields = ["CD_entityNames", "CD_recordNames", "CD_relationships"]
    /// The field with the name of an object's own entity.
    package static let entityName = field("entityName")
    /// The field that Core Data fills when a record moves to another zone.
    package static let moveReceipt = field("moveReceipt")

    /// Names that no property can have, because every mirrored record has fields for these names.
    package static let reserved: Set<String> = ["entityName", "moveReceipt"]
    static let twinSuffix = "_ckAsset"
    /// A field name has 255 bytes at most.
    static let maximumBytes = 255 - "CD_".utf8.count - twinSuffix.utf8.count

    /// The record type of all entities below a root.
    package static func type(_ root: String) -> String { "CD_\(root)" }

    /// The field of an attribute or of a to-one relationship.
    package static func field(_ property: String) -> String { "CD_\(property)" }

    /// The field for long values of an attribute.
    package static func twin(_ attribute: String) -> String { field(attribute) + twinSuffix }
}
