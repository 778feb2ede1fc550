// Owns doing the commands about keeping devices in step.
import CloudSync
import Cloudlet
import Foundation
import LocalReplica

extension Interpreter {
    /// The data of the person who is signed in, on the present device.
    func personal() throws -> PersonalData {
        guard let account = session.account else {
            throw Complaint(
                code: "notAuthenticated", message: "notes and receipts are personal; nobody is signed in",
                remedy: "as NAME", exit: .notSignedIn)
        }
        let (key, folder) = personalPlace(of: account)
        if let open = session.personal[key] { return open }
        let data = try PersonalData(folder: folder, container: container, clock: clock)
        session.personal[key] = data
        return data
    }

    /// The same, unless there is none yet: looking makes nothing.
    func personalIfAny() throws -> PersonalData? {
        guard let account = session.account else { return nil }
        let (key, folder) = personalPlace(of: account)
        let isThere = session.personal[key] != nil || FileManager.default.fileExists(atPath: folder.path)
        return isThere ? try personal() : nil
    }

    private func personalPlace(of account: Session.Account) -> (key: String, folder: URL) {
        let owner = "\(account.person)@\(session.device)"
        let place = "\(session.place.container)/\(session.place.environment.rawValue)"
        let folder = tools.devices.appendingPathComponent(place).appendingPathComponent(Site.escaped(owner))
        return ("\(place)/\(owner)", folder)
    }

    func answer(_ command: SyncCommand) async throws -> Answer {
        switch command {
        case .run(let waits, let says):
            let data = try personal()
            let (tools, clock) = (tools, clock)
            data.listen { status in
                let line = ProgressLine(status, now: clock.now)
                let count = status.activity == .working ? line.map { "; \($0.count) in all" } : nil
                if says { tools.talk("\(status.why)\(count ?? "")\n") }
                tools.meter?(line)
            }
            defer { data.listen(nil) }
            return try await sync(data, waits: waits)
        case .start:
            try personal().start(keeper)
            return Answer.talk("\(session.device) keeps in step by itself")
        case .stop:
            await (try personal()).stop()
            return Answer.talk("\(session.device) syncs only when asked")
        case .pending: return Answer.pending(try await personal().replica.read { try $0.pendingChanges() })
        case .conflicts(let forgets):
            let replica = try personal().replica
            let conflicts = try await replica.read { try $0.conflicts() }
            if forgets { try await replica.write { try $0.forgetConflicts() } }
            return Answer.conflicts(conflicts)
        case .resume(let zone):
            try await personal().replica.write { try $0.resume(zone) }
            return Answer.talk("\(zone) is used again", facts: [Field("zone", .text(zone))])
        case .undo: return try await undo()
        case .network(let isOn):
            site.network.set(session.device, isOffline: !isOn)
            return Answer.talk(
                "\(session.device) is \(isOn ? "on" : "off") line", facts: [Field("online", .flag(isOn))])
        }
    }

    private func sync(_ data: PersonalData, waits: Bool) async throws -> Answer {
        await data.sync.accountChanged()
        defer { tools.meter?(nil) }
        var status = try await data.sync.sync()
        var total = status.progress
        while waits, status.activity == .waiting, let until = status.until {
            tools.talk("\(status.why); waiting\n")
            try await clock.wait(.seconds(max(0, until.timeIntervalSince(clock.now))))
            status = try await data.sync.sync()
            total.sent += status.progress.sent
            total.fetched += status.progress.fetched
            total.merged += status.progress.merged
        }
        let pending = try await data.replica.read { try $0.pendingChanges() }
        var answer = Answer.synced(status, total, pending: pending, now: clock.now)
        if let trouble = data.trouble {
            answer.notes.append("the sync that went on by itself has ended: \(trouble); again: sync start")
        }
        return answer
    }

    /// Ends all syncs that go on by themselves.
    func endSyncs() async {
        for data in session.personal.values { await data.stop() }
    }
}
