// Owns doing commands: each becomes calls to the repositories, and their answers become the command's answer.
import Cloudlet
import Foundation

/// Does commands for one person at a time, in one place.
actor Interpreter {
    let site: Site
    let tools: Tools
    /// Counts what is asked of the server.
    let requests = RequestCounter()
    var session: Session
    var identifiers: IdentifierMaker
    /// Where news go that nobody asked for.
    nonisolated var announcer: Announcer { tools.announcer }
    /// What syncs go by.
    let clock: WaitingClock
    /// Keeps those going that go on by themselves.
    let keeper = SyncKeeper()
    private var current: (place: Session.Place, account: Session.Account?, device: String, made: CKContainer)?

    init(site: Site, tools: Tools, device: String, seed: UInt64) {
        var site = site
        site.transport = requests.counting(site.transport)
        clock = WaitingClock(base: site.now, pause: tools.pause)
        site.now = { [clock] in clock.now }
        self.site = site
        self.tools = tools
        identifiers = IdentifierMaker(seed: seed)
        session = Session(device: device, devices: [device])
    }

    /// The container as the present person on the present device sees it.
    var container: CKContainer {
        if let current, current.place == session.place, current.account == session.account,
            current.device == session.device
        {
            return current.made
        }
        let container = site.container(
            in: session.place, session.account?.session, device: session.device, contacts: contacts)
        current = (session.place, session.account, session.device, container)
        return container
    }

    private var contacts: [CloudContact] { session.account.flatMap { session.contacts[$0.person] } ?? [] }

    /// Lets the next command make the container anew, since something about its connection has changed.
    func forgetContainer() { current = nil }

    var parties: PartyRepository { PartyRepository(database: container.publicCloudDatabase) }
    var clowns: ClownRepository { ClownRepository(database: container.publicCloudDatabase) }
    var photos: PhotoRepository { PhotoRepository(database: container.publicCloudDatabase) }

    /// What the prompt says: the container if it is not the app's own, environment, person and device, the
    /// database if commands about records look at another than the public one, what goes wrong on purpose,
    /// and what nobody has looked at.
    var prompt: String {
        get async {
            let faults = await faultMarks()
            let marks = faults + (site.network.isOffline(session.device) ? ["off line"] : []) + unreadMark
            let mark = marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
            let place = session.place
            let container = place.container == Site.containerIdentifier ? "" : place.container + " "
            let person = session.account?.person ?? "nobody"
            let database = session.zone == nil ? "" : " \(session.database)"
            return "\(container)\(place.environment) \(person)@\(session.device)\(database)\(mark)> "
        }
    }

    /// The server and the container in words: lines that were typed here are of use here.
    var historyPlace: String { "\(site.place) \(session.place.container)" }

    /// Does a command; throws a complaint when it cannot be done.
    func perform(_ command: Command) async throws -> Answer {
        do {
            var answer = try await answer(command)
            answer.failures = answer.failures.map(placed)
            return answer
        } catch {
            throw placed(Complaint(error))
        }
    }

    /// The complaint in the light of who asks and where: a server elsewhere that does not answer, a command
    /// that needs an account.
    private func placed(_ complaint: Complaint) -> Complaint {
        var complaint = complaint
        switch complaint.code {
        case "networkUnavailable" where site.network.isOffline(session.device):
            complaint.remedy = "network on"
        case "networkFailure", "networkUnavailable":
            if site.isEmbedded { break }
            complaint.remedy =
                "look whether a server runs at \(site.place); one begins with: cloudlet serve --open"
        case "notAuthenticated" where session.account == nil && complaint.message.contains("sign in"):
            complaint.message = "nobody is signed in; without an account one can read, but not this"
        case "notAuthenticated":
            // Where a browser would sign in is nothing that somebody at a shell needs.
            complaint.message = complaint.message.replacing(/\ Sign in at http\S+/, with: "")
        default: break
        }
        return complaint
    }

    /// What the last command came to.
    var lastResult: LastResult { session.last }

    /// Keeps what a command came to, for the `expect` that may follow.
    func remember(_ result: LastResult) {
        session.last = result
        if case .answer(let answer) = result { session.see(answer) }
        switch result {
        case .complaint(let complaint): session.troubles = [complaint]
        case .answer(let answer) where !answer.failures.isEmpty: session.troubles = answer.failures
        case .answer, .nothing: break
        }
    }

    private func answer(_ command: Command) async throws -> Answer {
        switch command {
        case .partyCreate(let draft): try await createParty(draft)
        case .partyList(let filter): try await listParties(filter)
        case .partyShow(let party): try await showParty(party)
        case .partyEdit(let party, let changes): try await editParty(party, changes)
        case .partyDelete(let party, let isSure): try await deleteParty(party, isSure: isSure)
        case .clownAssign(let name, let party, let act): try await assignClown(name, to: party, act: act)
        case .clownList(let party): try await listClowns(party)
        case .clownRemove(let clown): try await removeClown(clown)
        case .photo(let command): try await answer(command)
        case .attend(let request): try await attend(request)
        case .card(let command): try await answer(command)
        case .personal(let command): try await answer(command)
        case .look(let command): try await answer(command)
        case .zone(let command): try await answer(command)
        case .app(let command): try await answer(command)
        case .push(let command): try await answer(command)
        case .treeSave(let name, let isJumbled): try await saveTree(name, isJumbled: isJumbled)
        case .batchSave(let count, let isOneByOne): try await saveBatch(count, isOneByOne: isOneByOne)
        case .fault(let command): try await answer(command)
        case .record(let command): try await answer(command)
        case .operate(let command): try await answer(command)
        case .people(let command): try await answer(command)
        case .load(let command): try await answer(command)
        case .shell: throw Complaint.usage("this cannot stand inside of another command")
        case .seed(let set): try await seed(set)
        case .actAs(let person): try await signIn(person)
        case .useDevice(let device, let profile): use(device: device, profile: profile)
        case .signOut: signOut()
        case .status: try await status()
        case .limits: try await limits()
        case .version: version()
        case .help(let topic): Answer(form: .text(try HelpText(table: .standard).text(topic: topic)))
        case .expect(let expectation): try check(expectation)
        case .quit(let code): Answer(form: .talk, leavesWith: code)
        }
    }

    private func check(_ expectation: Expectation) throws -> Answer {
        let checker = ExpectationChecker(result: session.last, now: tools.now())
        if let failure = checker.failure(of: expectation) {
            throw Complaint(code: "expectation", message: "the expectation does not hold: \(failure)")
        }
        return Answer(form: .talk, facts: [Field("expect", .text("ok"))])
    }
}
