// Owns who is asking and from which device, and what the last commands left behind.
import Cloudlet
import Foundation

/// The state of a shell between two commands.
struct Session {
    /// The list that `photo next` goes on with.
    struct PhotoList: Sendable {
        let party: Party
        let limit: Int
        let cursor: CKQueryOperation.Cursor?
        let shown: Int
    }

    /// Where on the server commands go.
    struct Place: Hashable {
        var container = Site.containerIdentifier
        var environment = CloudConnection.Environment.development
    }

    /// Somebody who is signed in.
    struct Account: Equatable {
        let person: String
        let session: CloudAccount

        static func == (left: Account, right: Account) -> Bool {
            left.person == right.person && left.session === right.session
        }
    }

    /// Something that was deleted, and the way back.
    struct Undo {
        let what: String
        /// How many of the records somebody else had made.
        var others = 0
        /// Answers how many records are back.
        let restore: @Sendable () async throws -> Int
    }

    /// What kind of device the present one is.
    var profile: DeviceProfile { profiles[device] ?? .phone }

    var place = Place()
    /// The zone that commands about records look at; nothing: the public database.
    var zone: String?
    var account: Account?
    var device: String
    var photoList: PhotoList?
    /// People who signed in before, so that `as` need not do it again.
    var known: [String: Account] = [:]
    /// Devices that were used, for completion.
    var devices: Set<String> = []
    /// What kind of device some are; the others are phones.
    var profiles: [String: DeviceProfile] = [:]
    /// The address book that each person has on all devices.
    var contacts: [String: [CloudContact]] = [:]
    /// What imports are signed with.
    var serverKey: CloudServerKey?
    /// What each device saw last of the records that it fetched whole.
    var copies = HeldCopies()
    /// The personal data that was opened, by place, person and device.
    var personal: [String: PersonalData] = [:]
    /// What was deleted last, by place and person.
    var undos: [String: Undo] = [:]
    /// The session of each person, by container: whoever signs in again goes on with the one that there is,
    /// so that what goes on by itself hears of it.
    var accounts: [String: CloudAccount] = [:]
    /// What each device keeps of the zones that it fetched.
    var zoneCaches: [String: ZoneCache] = [:]
    /// Where each device has come to in the feed of its person's zones.
    var databaseTokens: [String: CKServerChangeToken] = [:]
    /// The pushes that arrive, by person and device.
    var inboxes: [String: PushInbox] = [:]
    /// How many requests had been sent when somebody last asked.
    var requestsTold = 0
    /// Where each device has come to in its person's notification collection.
    var notificationTokens: [String: CKServerChangeToken] = [:]
    /// The faults in force on the server, as they were last seen, for the prompt.
    var faultMarks: [String] = []
    /// The records of the last answers, the newest first, for completion.
    var seen: [Candidate] = []
    /// What the command before came to.
    var last: LastResult = .nothing
    /// What went wrong in the last command that failed, in whole or in part.
    var troubles: [Complaint] = []
}

extension Session {
    /// What the present person deleted last, here.
    var undo: Undo? {
        get { undos["\(container) \(account?.person ?? "")"] }
        set { undos["\(container) \(account?.person ?? "")"] = newValue }
    }

    private static let mostSeen = 200

    /// Remembers which records an answer showed.
    mutating func see(_ answer: Answer) {
        let shown = answer.entries.compactMap { entry -> Candidate? in
            guard case .text(let name)? = entry.value(["id"]) ?? entry.value(["record"]) else { return nil }
            let title = entry.value(["name"]) ?? entry.value(["text"]) ?? entry.value(["type"])
            return Candidate(name, title?.text ?? "")
        }
        let names = Set(shown.map(\.text))
        seen = Array((shown + seen.filter { !names.contains($0.text) }).prefix(Self.mostSeen))
    }

    /// `public`, `private`, or `private/Notes`.
    var database: String {
        guard let zone else { return "public" }
        return zone == CKRecordZone.ID.defaultZoneName ? "private" : "private/\(zone)"
    }

    private var container: String { "\(place.container)/\(place.environment.rawValue)" }

    /// Makes somebody who has signed in the one who asks.
    mutating func enter(_ account: Account) {
        let key = "\(place.container) \(account.person)"
        if let known = accounts[key], known !== account.session, let token = account.session.webAuthToken {
            known.signIn(webAuthToken: token)
            self.account = Account(person: account.person, session: known)
        } else {
            accounts[key] = account.session
            self.account = account
        }
        photoList = nil
    }

    /// Ends the session of the one who asks, on all devices of this shell.
    mutating func leave() {
        account?.session.signOut()
        account = nil
        photoList = nil
    }
}
