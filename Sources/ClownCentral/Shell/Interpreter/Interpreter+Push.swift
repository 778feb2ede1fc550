// Owns doing the commands about subscriptions and pushes.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: PushCommand) async throws -> Answer {
        let repository = SubscriptionRepository(container: container)
        switch command {
        case .followParties(let isFuture, let once, let style):
            let moment = isFuture ? tools.now() : nil
            return try await onKnownType(remedy: "party create \"Balloon Ball\" --at 37.78,-122.40") {
                told(try await repository.followParties(after: moment, once: once, style))
            }
        case .followRecords(let type, let bound, let style):
            return told(try await repository.followRecords(type, above: bound, style))
        case .followZone(let zone, let style): return told(try await repository.followZone(zone, style))
        case .followEverything(let style): return told(try await repository.followEverything(style))
        case .subscriptions: return Answer.subscriptions(try await repository.all())
        case .end(let id):
            try await repository.end(id)
            return Answer.talk("ended \(id)", facts: [Field("subscription", .text(id))])
        case .listen:
            await inbox().connected()
            return Answer.talk(
                "pushes arrive on \(session.device)", facts: [Field("device", .text(session.device))])
        case .stop:
            await session.inboxes.removeValue(forKey: place)?.stop()
            try await container.leavePushes()
            return Answer.talk("no pushes arrive on \(session.device)")
        case .next: return try await nextPush()
        case .trace: return Answer.pushTrace(try await site.pushTrace(of: try await user()))
        case .requests: return countRequests()
        case .notifications(let isRead): return try await notifications(repository, isRead: isRead)
        }
    }

    /// Ends all connections for pushes.
    func hangUp() async {
        for inbox in session.inboxes.values { await inbox.stop() }
        session.inboxes = [:]
        await endSyncs()
    }

    /// Does what needs a record type that the server knows; it knows one from the first record on.
    private func onKnownType(
        remedy: String, _ work: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await work()
        } catch let error as CKError where error.code == .unknownItem {
            var complaint = Complaint(error)
            complaint.remedy = "\(remedy), then once more"
            throw complaint
        }
    }

    private func told(_ id: String) -> Answer {
        Answer.talk("subscribed: \(id)", facts: [Field("subscription", .text(id))])
    }

    /// How many pushes wait on this device for somebody who looks.
    var unreadMark: [String] {
        // A script's prompt, which a walkthrough shows, says nothing that depends on when a push arrives.
        guard tools.announcer.isHeard, let count = session.inboxes[place]?.unreadCount, count > 0 else {
            return []
        }
        return [count == 1 ? "1 push" : "\(count) pushes"]
    }

    private var place: String { "\(session.account?.person ?? "")@\(session.device)" }

    /// The pushes of this person on this device, which arrive from now on.
    private func inbox() -> PushInbox {
        if let inbox = session.inboxes[place] { return inbox }
        let (announcer, place) = (tools.announcer, place)
        let inbox = PushInbox(container) { push in
            announcer.announce("\(place): \(Answer.words(for: push))")
        }
        session.inboxes[place] = inbox
        return inbox
    }

    private func countRequests() -> Answer {
        let sent = requests.count - session.requestsTold
        session.requestsTold = requests.count
        return Answer.talk(Answer.counted(sent, "request"), facts: [Field("requests", .count(sent))])
    }

    private func nextPush() async throws -> Answer {
        let inbox = inbox()
        guard let push = await inbox.next() else { throw CancellationError() }
        return Answer(form: .record, entries: [Answer.entry(for: push)])
    }

    private func user() async throws -> String {
        try await container.userRecordID().recordName
    }

    private func notifications(_ repository: SubscriptionRepository, isRead: Bool) async throws -> Answer {
        let found = try await repository.notifications(since: session.notificationTokens[place])
        session.notificationTokens[place] = found.token
        var answer = Answer.notifications(found.notifications)
        if isRead {
            var ids: [CKNotification.ID] = []
            for id in found.notifications.compactMap(\.notificationID) where !ids.contains(id) {
                ids.append(id)
            }
            let count = try await repository.markRead(ids)
            answer.notes = ["marked \(Answer.counted(count, "notification")) as read"]
        }
        return answer
    }
}
