// Owns doing the commands about who is asking, from where, and with which data.
import Cloudlet
import CloudletServer
import CommandText
import Foundation

extension Interpreter {
    /// Who loads seeds when nobody is signed in.
    private static let seeder = "seeder"

    func signIn(_ person: String) async throws -> Answer {
        enter(try await account(of: person))
        return Answer.talk("signed in as \(person)", facts: place)
    }

    func use(device: String, profile: DeviceProfile?) -> Answer {
        if let profile { session.profiles[device] = profile }
        session.device = device
        session.devices.insert(device)
        session.photoList = nil
        return Answer.talk("on \(device)", facts: place)
    }

    func signOut() -> Answer {
        let wasSignedIn = session.account != nil
        session.leave()
        return Answer.talk(wasSignedIn ? "signed out" : "nobody was signed in", facts: place)
    }

    func seed(_ word: Word?) async throws -> Answer {
        let name = word?.text ?? SeedSet.defaultName
        let seeds = try seeds(word)
        var container = container
        if session.account == nil {
            let account = try await account(of: Self.seeder).session
            container = site.container(in: session.place, account, device: session.device)
        }
        let loaded = try await SeedLoader(database: container.publicCloudDatabase).load(seeds)
        let fields = [
            Field("set", .text(name)), Field("parties", .count(loaded.parties)),
            Field("clowns", .count(loaded.clowns)), Field("others", .count(loaded.others)),
        ]
        let counts =
            "\(Answer.counted(loaded.parties, "party")) and \(Answer.counted(loaded.clowns, "clown"))"
        let others = Answer.counted(loaded.others, "record")
        let note = loaded.others == 0 ? "stored \(counts)" : "\(counts) are there; \(others) by somebody else"
        return Answer(form: .talk, facts: fields, notes: [note])
    }

    /// The parties of a seed set, the usual one if none is named.
    func seeds(_ word: Word?) throws -> [SeedParty] {
        let folder = try tools.seedFolder.get()
        let name = word?.text ?? SeedSet.defaultName
        guard SeedSet.names(in: folder).contains(name) else {
            let known = SeedSet.names(in: folder)
            throw Complaint(
                code: "notFound",
                message: "there is no seed set `\(name)`; there is \(known.joined(separator: ", "))",
                span: word?.range,
                suggestions: DidYouMean.suggestions(for: name, among: known)
            )
        }
        return try SeedSet.load(named: name, from: folder, referenceDate: tools.now())
    }

    /// Makes somebody who has signed in the one who asks.
    func enter(_ account: Session.Account) {
        session.enter(account)
        if session.known[account.person] != nil { session.known[account.person] = session.account }
    }

    func version() -> Answer {
        let fields = [
            Field("clown-central", .text(ClownCentralApp.release)),
            Field("editor", .text(LineEditor.version)), Field("build", .text(CloudletServer.build)),
        ]
        return Answer(form: .record, entries: [Entry(fields)])
    }

    /// Who asks, and from where.
    struct Whereabouts: Sendable {
        fileprivate let account: Session.Account?
        fileprivate let device: String
        fileprivate let photoList: Session.PhotoList?
    }

    /// Goes on as somebody on a device, and answers the way back; stays when that person cannot sign in.
    func move(to person: String, on device: String) async throws -> Whereabouts {
        let before = Whereabouts(
            account: session.account, device: session.device, photoList: session.photoList)
        do {
            // The device comes first: it is the one that the person signs in on.
            _ = try await perform(.useDevice(device, profile: nil))
            _ = try await perform(.actAs(person: person))
            return before
        } catch {
            goBack(to: before)
            throw error
        }
    }

    func goBack(to before: Whereabouts) {
        session.account = before.account
        session.device = before.device
        session.photoList = before.photoList
    }

    /// The identifier of the first record that the last command answered.
    var lastIdentifier: String? {
        guard case .answer(let answer) = session.last else { return nil }
        let value = answer.entries.first?.value(["id"]) ?? answer.entries.first?.value(["record"])
        if case .text(let text)? = value { return text }
        return nil
    }

    private var place: [Field] {
        [Field("person", Value(session.account?.person)), Field("device", .text(session.device))]
    }

    private func account(of person: String) async throws -> Session.Account {
        if let account = session.known[person], await isGood(account) { return account }
        let token = try await site.signIn(person)
        let account = Session.Account(person: person, session: CloudAccount(webAuthToken: token))
        session.known[person] = account
        return account
    }

    /// Whether a session that was begun before still holds: a new password or an operator may have ended it.
    /// One that cannot be asked about now is believed.
    private func isGood(_ account: Session.Account) async -> Bool {
        let container = site.container(in: session.place, account.session, device: session.device)
        return (try? await container.accountStatus()) != .noAccount
    }
}
