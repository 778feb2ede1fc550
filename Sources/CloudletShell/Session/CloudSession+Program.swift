import Cloudlet
public import CommandShell
import Foundation
import RecordsWire

// The parts of `ShellProgram` that the session provides.
extension CloudSession {
    /// The text of the prompt: the container if it is not the program's own, the environment, production in
    /// capitals, the person and the device, the database that record commands use if it is not the public
    /// one, the active faults, the state of a simulated network, the shift of the clock, and the number of
    /// unread pushes.
    public var prompt: String {
        get async {
            let faults = await currentFaultMarks()
            let network = server.network.profile(of: device)
            let isUnreachable = !server.isEmbedded && (requests.isServerUnreachable || isSignInPending)
            let reach = network.mark ?? (isUnreachable ? "server unreachable" : nil)
            let clock = environment.clockShift.text.map { "clock +\($0)" }
            let marks = faults + [reach, clock].compactMap { $0 } + unreadMark
            let mark = marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
            let container = place.container == initialContainer ? "" : place.container + " "
            let person = account?.person ?? "nobody"
            let database = zone == nil ? "" : " \(database)"
            let name = "\(place.environment)"
            let stage = place.environment == .production ? name.uppercased() : name
            return "\(container)\(stage) \(person)@\(device)\(database)\(mark)> "
        }
    }

    /// The server and the container in words. The history of typed lines is kept for each.
    public var historyPlace: String { "\(server.description) \(place.container)" }

    /// The requests that were sent so far.
    public nonisolated var meter: ProgramMeter {
        ProgramMeter(
            requests: requests.count, serverMicroseconds: requests.serverMicroseconds, clock: clock.now)
    }

    /// Converts an error, with a remedy for the current state: a remote server that does not
    /// answer, or a command that requires an account.
    public func shellError(about error: any Error) -> ShellError {
        var shellError = ShellError(error)
        switch shellError.code {
        case "networkFailure", "networkUnavailable", "serverResponseLost":
            if server.network.profile(of: device) != .on {
                shellError.remedy = "network on"
                break
            }
            if server.isEmbedded || shellError.code == "serverResponseLost" { break }
            let port = URL(string: server.description)?.port.map { " --port \($0)" } ?? ""
            shellError.remedy =
                "check that a server runs at \(server.description); start one: cloudlet serve --open\(port)"
        case "notAuthenticated" where isSignInPending:
            shellError.message = offlineLine ?? shellError.message
            shellError.exit = .failed
            shellError.remedy =
                requests.isServerUnreachable
                ? "check that a server runs at \(server.description)" : account.map { "sign-in \($0.person)" }
        case "notAuthenticated" where account == nil && shellError.reason == ShellError.signInRequired:
            shellError.message = "nobody is signed in; without an account only public data can be read"
        default: break
        }
        return shellError
    }

    /// Switches to a person and device, and returns the function that switches back. If that person cannot
    /// sign in, nothing changes.
    public func enter(_ address: ShellAddress) async throws -> @Sendable () async -> Void {
        let before = context
        do {
            // The device is set first, because the person signs in on it.
            use(device: address.device, profile: nil)
            enter(try await account(of: address.person))
            return { await self.restore(before) }
        } catch {
            restore(before)
            throw error
        }
    }

    /// Ends all connections for pushes.
    public func disconnectPushes() async {
        for inbox in inboxes.values { await inbox.stop() }
        inboxes = [:]
    }

    /// Sets the function that is called with a line about every request; nil for none.
    public nonisolated func watchRequests(_ tell: (@Sendable (String) -> Void)?, isJSON: Bool) {
        guard let tell else { return requests.monitor(nil) }
        requests.monitor { tell($0.line(isJSON: isJSON)) }
    }

    // MARK: Marks in the prompt

    /// The names of the active faults. They are read from a server in this process. For a remote server,
    /// which may be slow or unreachable, they are those that the last fault command or `status` returned.
    private func currentFaultMarks() async -> [String] {
        if server.isEmbedded, let faults = try? await server.faults() { storeFaults(faults) }
        return faultMarks
    }

    /// Stores the active faults for the prompt.
    @discardableResult
    func storeFaults(_ faults: [FaultsReport.Entry]) -> [FaultsReport.Entry] {
        faultMarks = faults.filter { !$0.isUsedUp }.map(\.name)
        return faults
    }

    /// The number of unread pushes on this device, as a mark in the prompt.
    private var unreadMark: [String] {
        // The prompt of a script must not depend on when a push arrives, because walkthroughs show it.
        let count = environment.announcer.hasListener ? inboxes[context.key]?.unreadCount ?? 0 : 0
        if count == 0 { return [] }
        return [count == 1 ? "1 push" : "\(count) pushes"]
    }

    // MARK: Pushes

    /// The inbox of this person on this device, which receives pushes from now on.
    func inbox() -> PushInbox {
        let key = context.key
        if let inbox = inboxes[key] { return inbox }
        let (announcer, place, device) = (environment.announcer, place.environment, device)
        let inbox = PushInbox(container) { [weak self] push in
            self?.treatment(of: push, in: place, on: device) ?? PushTreatment(outcome: .withheld)
        } tell: { push in
            announcer.announce("\(key): \(Answer.words(for: push))")
        }
        inboxes[key] = inbox
        return inbox
    }

    /// Removes the inbox of this person on this device and returns it; the caller stops it.
    func removeInbox() -> PushInbox? { inboxes.removeValue(forKey: context.key) }
}
