public import Foundation
internal import Records

/// A zone: a part of a database with its own history of changes, in which records can be saved atomically.
///
/// A zone has the capabilities that the server reported. A zone created on this device has none until it is
/// saved or fetched.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecordzone>.
// Sendable because every property is immutable or behind a lock.
open class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The ID of a zone.
    public typealias ID = CKRecordZoneID

    private let id: CKRecordZoneID
    private let abilities: Capabilities
    private let zoneShare: CKReference?
    private let scope = Locked(EncryptionScope.perRecord)

    /// Creates a custom zone that belongs to the signed-in person.
    public init(zoneName: String) {
        id = CKRecordZoneID(zoneName: zoneName)
        abilities = []
        zoneShare = nil
    }

    /// Creates a custom zone with this ID.
    public init(zoneID: CKRecordZone.ID) {
        id = zoneID
        abilities = []
        zoneShare = nil
    }

    /// Creates a zone with the properties that the server reported.
    init(zoneID: CKRecordZoneID, capabilities: Capabilities, share: CKReference? = nil) {
        id = zoneID
        abilities = capabilities
        zoneShare = share
    }

    /// Decodes an archive that `encode(with:)` or the CloudKit framework wrote; returns nil for any other
    /// data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedZone.self, as: Self.archiveKey, from: coder) else {
            guard let zone = FrameworkArchive.object(CKRecordZoneID.self, "ZoneID", from: coder) else {
                return nil
            }
            id = zone
            let number = FrameworkArchive.object(NSNumber.self, "Capabilities", from: coder)
            abilities = Capabilities(rawValue: number?.uintValue ?? 0)
            zoneShare = FrameworkArchive.object(CKReference.self, "ShareReference", from: coder)
            return
        }
        id = CKRecordZoneID(plain.id)
        abilities = Capabilities(rawValue: plain.capabilities)
        zoneShare = plain.share.map { CKReference($0) }
        scope.withLock { $0 = plain.scope.flatMap { EncryptionScope(rawValue: $0) } ?? .perRecord }
    }

    /// The default zone, which every database has. It has no atomic commits, no change feed and no sharing.
    open class func `default`() -> CKRecordZone { defaultZone }

    /// The zone's ID.
    open var zoneID: CKRecordZone.ID { id }

    /// The capabilities that the server reported; empty until the zone is saved or fetched.
    open var capabilities: CKRecordZone.Capabilities { abilities }

    /// A reference to the share of the whole zone. nil for a zone from the server, which does not report it;
    /// a zone from an archive of the CloudKit framework may have one.
    open var share: CKRecord.Reference? { zoneShare }

    /// The scope of an encryption key. Cloudlet has one key for each custom zone, so this value has no
    /// effect; it is stored on this device only.
    open var encryptionScope: CKRecordZone.EncryptionScope {
        get { scope.current }
        set { scope.withLock { $0 = newValue } }
    }

    /// The ID and the capabilities, for logs.
    open override var description: String {
        "<CKRecordZone: zoneID=\(id.zoneName):\(id.ownerName), capabilities=\(abilities.rawValue)>"
    }

    /// Returns an independent zone with the same ID, capabilities, share and encryption scope.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKRecordZone(zoneID: id, capabilities: abilities, share: zoneShare)
        copy.encryptionScope = encryptionScope
        return copy
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the zone under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        let plain = ArchivedZone(
            id: ZoneID(id),
            capabilities: abilities.rawValue,
            share: zoneShare.map(Reference.init),
            scope: encryptionScope.rawValue
        )
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let defaultZone = CKRecordZone(zoneID: .default)
    private static let archiveKey = "cloudlet.CKRecordZone"
}

extension CKRecordZone {
    /// The scope of an encryption key.
    public enum EncryptionScope: Int, Sendable {
        /// Each record has its own key.
        case perRecord = 0
        /// All records of the zone share one key.
        case perZone = 1
    }

    /// The capabilities of a zone.
    public struct Capabilities: OptionSet, Sendable {
        /// The raw bits of the set.
        public let rawValue: UInt

        /// Creates a set with these raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The zone reports changes since a token.
        public static var fetchChanges: CKRecordZone.Capabilities { Self(rawValue: 1 << 0) }
        /// A batch is saved completely or not at all.
        public static var atomic: CKRecordZone.Capabilities { Self(rawValue: 1 << 1) }
        /// A hierarchy of records can be shared.
        public static var sharing: CKRecordZone.Capabilities { Self(rawValue: 1 << 2) }
        /// The whole zone can be shared.
        public static var zoneWideSharing: CKRecordZone.Capabilities { Self(rawValue: 1 << 3) }
    }
}

/// The archived form of a zone.
private struct ArchivedZone: Codable {
    var id: ZoneID
    var capabilities: UInt
    var share: Reference?
    var scope: Int?
}
