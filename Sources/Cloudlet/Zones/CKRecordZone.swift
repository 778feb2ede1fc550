public import Foundation
internal import Records

/// A part of a database whose records can be committed and followed together.
///
/// Capabilities are what the server said; a zone made here has none until it is saved or fetched.
// Sendable because every property is constant, or lies behind a lock.
open class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The identity of a zone.
    public typealias ID = CKRecordZoneID

    private let id: CKRecordZoneID
    private let abilities: Capabilities
    private let zoneShare: CKReference?
    private let scope = Locked(EncryptionScope.perRecord)

    /// A custom zone of one's own.
    public init(zoneName: String) {
        id = CKRecordZoneID(zoneName: zoneName)
        abilities = []
        zoneShare = nil
    }

    /// A custom zone with that identity.
    public init(zoneID: CKRecordZone.ID) {
        id = zoneID
        abilities = []
        zoneShare = nil
    }

    /// A zone as the server describes it.
    init(zoneID: CKRecordZoneID, capabilities: Capabilities, share: CKReference? = nil) {
        id = zoneID
        abilities = capabilities
        zoneShare = share
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainZone.self, as: Self.archiveKey, from: coder) else { return nil }
        id = CKRecordZoneID(plain.id)
        abilities = Capabilities(rawValue: plain.capabilities)
        zoneShare = plain.share.map { CKReference($0) }
        scope.withLock { $0 = plain.scope.flatMap { EncryptionScope(rawValue: $0) } ?? .perRecord }
    }

    /// The zone every database has: no atomic commits, no feed of changes, no sharing.
    open class func `default`() -> CKRecordZone { defaultZone }

    /// The zone's identity.
    open var zoneID: CKRecordZone.ID { id }

    /// What the zone can do; empty before it is saved or fetched.
    open var capabilities: CKRecordZone.Capabilities { abilities }

    /// The zone-wide share, in fetched zones that have one.
    open var share: CKRecord.Reference? { zoneShare }

    /// What one key encrypts; kept with the zone on this device, since there is one key for each person here.
    open var encryptionScope: CKRecordZone.EncryptionScope {
        get { scope.current }
        set { scope.withLock { $0 = newValue } }
    }

    /// The identity, for people.
    open override var description: String {
        "<CKRecordZone: zoneID=\(id.zoneName):\(id.ownerName), capabilities=\(abilities.rawValue)>"
    }

    /// An independent zone with the same identity and capabilities.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKRecordZone(zoneID: id, capabilities: abilities, share: zoneShare)
        copy.encryptionScope = encryptionScope
        return copy
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the zone under a key of this class.
    open func encode(with coder: NSCoder) {
        let plain = PlainZone(
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
    /// What one key encrypts.
    public enum EncryptionScope: Int, Sendable {
        /// One record.
        case perRecord = 0
        /// All records of the zone.
        case perZone = 1
    }

    /// What a zone can do.
    public struct Capabilities: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// The capabilities with those bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Changes since a token can be fetched.
        public static var fetchChanges: CKRecordZone.Capabilities { Self(rawValue: 1 << 0) }
        /// A batch is committed as a whole or not at all.
        public static var atomic: CKRecordZone.Capabilities { Self(rawValue: 1 << 1) }
        /// A hierarchy of records can be shared.
        public static var sharing: CKRecordZone.Capabilities { Self(rawValue: 1 << 2) }
        /// The whole zone can be shared.
        public static var zoneWideSharing: CKRecordZone.Capabilities { Self(rawValue: 1 << 3) }
    }
}

/// A zone as archives hold it.
private struct PlainZone: Codable {
    var id: ZoneID
    var capabilities: UInt
    var share: Reference?
    var scope: Int?
}
