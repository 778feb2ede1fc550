import Cloudlet
public import CommandShell
import Foundation
import RecordsWire

// What a program with a session tells its shell.
extension CloudSession {
    /// What the prompt says: the container if it is not the program's own, environment, person and device,
    /// the
    /// database if commands about records look at another than the public one, what goes wrong on purpose,
    /// and what nobody has looked at.
    public var prompt: String {
        get async {
            let faults = await currentFaultMarks()
            let marks = faults + (server.network.isOffline(device) ? ["off line"] : []) + unreadMark
            let mark = marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
            let container = place.container == home ? "" : place.container + " "
            let person = account?.person ?? "nobody"
            let database = zone == nil ? "" : " \(database)"
            return "\(container)\(place.environment) \(person)@\(device)\(database)\(mark)> "
        }
    }

    /// The server and the container in words: lines that were typed here are of use here.
    public var historyPlace: String { "\(server.place) \(place.container)" }

    /// What was sent so far.
    public nonisolated var meter: ProgramMeter {
        ProgramMeter(
            requests: requests.count, serverMicroseconds: requests.serverMicroseconds, clock: clock.now)
    }

    /// The complaint in the light of who asks and where: a server elsewhere that does not answer, a command
    /// that needs an account.
    public func complaint(about error: any Error) -> Complaint {
        var complaint = Complaint(error)
        switch complaint.code {
        case "networkUnavailable" where server.network.isOffline(device):
            complaint.remedy = "network on"
        case "networkFailure", "networkUnavailable":
            if server.isEmbedded { break }
            complaint.remedy =
                "check that a server runs at \(server.place); one begins with: cloudlet serve --open"
        case "notAuthenticated" where account == nil && complaint.reason == Complaint.signInRequired:
            complaint.message = "nobody is signed in; without an account one can read, but not this"
        default: break
        }
        return complaint
    }

    /// Goes on as somebody on a device, and answers the way back; stays when that person cannot sign in.
    public func enter(_ address: ShellAddress) async throws -> @Sendable () async -> Void {
        let before = whereabouts
        do {
            // The device comes first: it is the one that the person signs in on.
            use(device: address.device, profile: nil)
            enter(try await account(of: address.person))
            return { await self.goBack(to: before) }
        } catch {
            goBack(to: before)
            throw error
        }
    }

    /// Ends all connections for pushes.
    public func hangUp() async {
        for inbox in inboxes.values { await inbox.stop() }
        inboxes = [:]
    }

    /// Passes a line about every request on; to nobody if nil.
    public nonisolated func watchRequests(_ tell: (@Sendable (String) -> Void)?, isJSON: Bool) {
        guard let tell else { return requests.monitor(nil) }
        requests.monitor { tell($0.line(isJSON: isJSON)) }
    }

    // MARK: Marks in the prompt

    /// The names of the faults in force. A server in this process is asked; of one elsewhere, which may be
    /// slow or gone, it is what the last command about faults, or `status`, saw.
    private func currentFaultMarks() async -> [String] {
        if server.isEmbedded, let faults = try? await server.faults() { note(faults) }
        return faultMarks
    }

    /// Keeps what is in force for the prompt.
    @discardableResult
    func note(_ faults: [FaultsReport.Entry]) -> [FaultsReport.Entry] {
        faultMarks = faults.filter { !$0.isUsedUp }.map(\.name)
        return faults
    }

    /// How many pushes wait on this device for somebody who looks.
    private var unreadMark: [String] {
        // A script's prompt, which a walkthrough shows, says nothing that depends on when a push arrives.
        let count = environment.announcer.isHeard ? inboxes[whereabouts.key]?.unreadCount ?? 0 : 0
        if count == 0 { return [] }
        return [count == 1 ? "1 push" : "\(count) pushes"]
    }

    // MARK: Pushes

    /// The pushes of this person on this device, which arrive from now on.
    func inbox() -> PushInbox {
        let key = whereabouts.key
        if let inbox = inboxes[key] { return inbox }
        let announcer = environment.announcer
        let inbox = PushInbox(container) { push in
            announcer.announce("\(key): \(Answer.words(for: push))")
        }
        inboxes[key] = inbox
        return inbox
    }

    /// Takes the pushes of this person on this device away, for whoever stops them.
    func removeInbox() -> PushInbox? { inboxes.removeValue(forKey: whereabouts.key) }
}
