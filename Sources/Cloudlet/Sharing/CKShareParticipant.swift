public import Foundation
internal import Records

/// A person of a share, with a role and a permission.
///
/// Two participants are equal when they are the same person, whatever they may do.
// Sendable because the state lies behind a lock.
open class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Names a participant in their share.
    public typealias ID = String
    /// What they have said to the invitation.
    public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
    /// What they may do.
    public typealias Permission = CKShare.ParticipantPermission
    /// How they came to take part.
    public typealias Role = CKShare.ParticipantRole
    /// The older form of the role.
    public typealias ParticipantType = CKShare.ParticipantType

    let state: Locked<PlainParticipant>

    package init(_ plain: PlainParticipant) {
        state = Locked(plain)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainParticipant.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        state = Locked(plain)
    }

    /// A participant for whoever is first to follow a URL of their own, made when the share is saved.
    open class func oneTimeURLParticipant() -> CKShareParticipant {
        CKShareParticipant(
            PlainParticipant(id: PlainParticipant.newID, identity: PlainIdentity(), isOneTime: true))
    }

    /// Who it is.
    open var userIdentity: CKUserIdentity { CKUserIdentity(state.current.identity) }

    /// How they came to take part; `.privateUser` at first.
    open var role: CKShare.ParticipantRole {
        get { CKShare.ParticipantRole(rawValue: state.current.role) ?? .unknown }
        set { state.withLock { $0.role = newValue.rawValue } }
    }

    /// The older form of the role.
    open var type: CKShare.ParticipantType {
        get { role.type }
        set { role = CKShare.ParticipantRole(newValue) }
    }

    /// What they have said to the invitation.
    open var acceptanceStatus: CKShare.ParticipantAcceptanceStatus {
        CKShare.ParticipantAcceptanceStatus(rawValue: state.current.acceptance) ?? .unknown
    }

    /// What they may do; `.readOnly` at first.
    open var permission: CKShare.ParticipantPermission {
        get { CKShare.ParticipantPermission(rawValue: state.current.permission) ?? .unknown }
        set { state.withLock { $0.permission = newValue.rawValue } }
    }

    /// Names them in their share.
    public var participantID: CKShare.Participant.ID { state.current.id }

    /// Whether they asked to take part and somebody agreed.
    open var isApprovedRequester: Bool { state.current.isApprovedRequester }

    /// When they were added to the share, as the server knows it.
    open var dateAddedToShare: Date? { state.current.added }

    /// Equal when ID, user record or what they were looked for by is.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = (object as? CKShareParticipant)?.state.current else { return false }
        return state.current.isSamePerson(as: other)
    }

    /// The same for all: equality has several grounds, of which none alone decides.
    open override var hash: Int { 1 }

    /// Who it is and what they may do, for people.
    open override var description: String {
        "<CKShareParticipant: \(userIdentity), \(role), \(permission), \(acceptanceStatus)>"
    }

    /// An independent participant with the same role and permission.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKShareParticipant(state.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the participant under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareParticipant"
}

/// A participant in the form of archives.
package struct PlainParticipant: Codable, Hashable, Sendable {
    var id: String
    var identity: PlainIdentity
    var role = CKShare.ParticipantRole.privateUser.rawValue
    var permission = CKShare.ParticipantPermission.readOnly.rawValue
    var acceptance = CKShare.ParticipantAcceptanceStatus.pending.rawValue
    var isApprovedRequester = false
    var isOneTime = false
    var added: Date?

    /// The person of this device, whose records are shared.
    static var owner: PlainParticipant {
        let user = CKRecordID(recordName: CKCurrentUserDefaultName)
        var owner = PlainParticipant(
            id: CKCurrentUserDefaultName, identity: PlainIdentity(user: RecordID(user)))
        owner.role = CKShare.ParticipantRole.owner.rawValue
        owner.permission = CKShare.ParticipantPermission.readWrite.rawValue
        owner.acceptance = CKShare.ParticipantAcceptanceStatus.accepted.rawValue
        return owner
    }

    // UUID(): the interface makes every participant's ID unique without being given one.
    static var newID: String { UUID().uuidString }

    func isSamePerson(as other: PlainParticipant) -> Bool {
        if id == other.id { return true }
        if let user = identity.user, user == other.identity.user { return true }
        return identity.lookup != nil && identity.lookup == other.identity.lookup
    }
}
