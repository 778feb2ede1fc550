import Cloudlet
import Foundation
import LocalReplica

extension CloudSync {
    /// Syncs whenever there is a reason: an edit on this device, a push, a change of the account, or the end
    /// of a wait. Returns only if the task is cancelled.
    ///
    /// Pushes can get lost, so the sync asks the server for changes whenever it opens the connection for
    /// pushes. Several listeners can share this connection: if the listener that opened it ends, another one
    /// opens it again at once. If the connection breaks, `status.pushes` says so, and the sync opens it again
    /// after a wait that doubles with each failure.
    ///
    /// - Throws: `ReplicaError`. Cancellation throws nothing.
    public func run() async throws {
        let signal = SyncSignal()
        signal.send { ($0.asksServer, $0.endsWaits) = (true, true) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.answer(signal) }
                group.addTask { try await self.listenToEdits(signal) }
                group.addTask { try await self.listenToAccounts(signal) }
                // The first task that fails cancels the others.
                while try await group.next() != nil {}
            }
        } catch is CancellationError {
            report(.off)
        } catch {
            report(.off)
            throw error
        }
    }

    /// Syncs each time the signal is sent or a wait ends. Only one wait is active at a time.
    private func answer(_ signal: SyncSignal) async throws {
        while true {
            try Task.checkCancellation()
            let reasons = signal.take() ?? WakeReasons()
            receive(reasons.pushedChanges)
            let status = try await sync(asksServer: reasons.asksServer, endsWaits: reasons.endsWaits)
            try await wait(for: signal, until: status.until)
        }
    }

    private nonisolated func wait(for signal: SyncSignal, until moment: Date?) async throws {
        guard let moment else { return try await signal.wait() }
        try await untilFirstEnds {
            try await signal.wait()
        } or: {
            try await self.configuration.pause(until: moment)
        }
    }

    private nonisolated func listenToEdits(_ signal: SyncSignal) async throws {
        try await replica.observeEdits { signal.send() }
    }

    /// Observes the account. Listens to pushes again after each change, because they belong to the person who
    /// is signed in.
    private nonisolated func listenToAccounts(_ signal: SyncSignal) async throws {
        let changed = SyncSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let account = self.container.connection.account
                for await change in NotificationCenter.default.notifications(named: .CKAccountChanged) {
                    // Another account in the same process may have changed.
                    guard change.object as? CloudAccount === account else { continue }
                    await self.accountChanged()
                    signal.send { ($0.asksServer, $0.endsWaits) = (true, true) }
                    changed.send()
                }
            }
            group.addTask {
                while self.configuration.subscribes, self.configuration.receivesPushes {
                    try await untilFirstEnds {
                        try await self.listenToPushes(signal)
                    } or: {
                        try await changed.wait()
                    }
                    _ = changed.take()
                }
            }
            while try await group.next() != nil {}
        }
    }

    private nonisolated func listenToPushes(_ signal: SyncSignal) async throws {
        var failures = 0
        while true {
            let opened = SyncSignal()
            var why = "the connection for pushes has ended"
            do {
                try await takePushes(signal, opened)
            } catch is PushConnectionHandover {
                try Task.checkCancellation()
                continue
            } catch {
                why = Self.text(of: error)
            }
            try Task.checkCancellation()
            failures = opened.take() == nil ? failures + 1 : 1
            let now = configuration.now()
            let until = Hold.backOff(after: failures, why: why, at: now).until ?? now
            await report(.interrupted(why: why, until: until))
            try await configuration.pause(until: until)
        }
    }

    /// Receives pushes until the connection breaks.
    private nonisolated func takePushes(_ signal: SyncSignal, _ opened: SyncSignal) async throws {
        async let _: Void = announceConnection(opened, signal)
        try await container.receivePushes {
            opened.send()
        } _: { [configuration, scope] push in
            guard configuration.getsPush(push) else { return }
            guard let change = PushedChange(push, in: scope) else { return }
            signal.send { $0.pushedChanges.insert(change) }
        }
    }

    private func announceConnection(_ opened: SyncSignal, _ signal: SyncSignal) async throws {
        try await opened.wait()
        report(.connected)
        signal.send { ($0.asksServer, $0.endsWaits) = (true, true) }
    }
}
