import Cloudlet
import Foundation
import LocalReplica

extension CloudSync {
    /// Syncs whenever there is a reason: an edit on this device, a push, a change of the account, or the end
    /// of a wait. Returns only if the task is cancelled.
    ///
    /// Pushes can get lost, so whenever the connection for pushes is opened, the server is asked for changes.
    /// If the connection breaks, `status.pushes` says so, and it is opened again after a wait that doubles
    /// with each failure.
    ///
    /// - Throws: `ReplicaError`. Cancellation throws nothing.
    public func run() async throws {
        let bell = SyncSignal()
        bell.ring { ($0.looks, $0.isHurried) = (true, true) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.answer(bell) }
                group.addTask { try await self.listenToEdits(bell) }
                group.addTask { try await self.listenToAccounts(bell) }
                // The first task that fails cancels the others.
                while try await group.next() != nil {}
            }
        } catch is CancellationError {
            say(.off)
        } catch {
            say(.off)
            throw error
        }
    }

    /// Syncs each time the bell rings or a wait ends. Only one wait is active at a time.
    private func answer(_ bell: SyncSignal) async throws {
        while true {
            try Task.checkCancellation()
            let alarm = bell.take() ?? WakeReasons()
            if !alarm.news.isEmpty { try await take(alarm.news) }
            let status = try await sync(looks: alarm.looks, isHurried: alarm.isHurried)
            try await wait(for: bell, until: status.until)
        }
    }

    private nonisolated func wait(for bell: SyncSignal, until moment: Date?) async throws {
        guard let moment else { return try await bell.rung() }
        try await Self.first {
            try await bell.rung()
        } or: {
            try await self.configuration.pause(until: moment)
        }
    }

    /// Runs two operations until one of them ends, and cancels the other.
    private static func first(
        _ one: @escaping @Sendable () async throws -> Void,
        or other: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(operation: one)
            group.addTask(operation: other)
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private nonisolated func listenToEdits(_ bell: SyncSignal) async throws {
        for try await count in replica.observe({ try $0.editCount() }) where count > 0 { bell.ring() }
    }

    /// Observes the account. Listens to pushes again after each change, because they belong to the person who
    /// is signed in.
    private nonisolated func listenToAccounts(_ bell: SyncSignal) async throws {
        let changed = SyncSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let account = self.container.connection.account
                for await change in NotificationCenter.default.notifications(named: .CKAccountChanged) {
                    // Another account in the same process may have changed.
                    guard change.object as? CloudAccount === account else { continue }
                    await self.accountChanged()
                    bell.ring { ($0.looks, $0.isHurried) = (true, true) }
                    changed.ring()
                }
            }
            group.addTask {
                while self.configuration.subscribes {
                    try await Self.first {
                        try await self.listenToPushes(bell)
                    } or: {
                        try await changed.rung()
                    }
                    _ = changed.take()
                }
            }
            while try await group.next() != nil {}
        }
    }

    private nonisolated func listenToPushes(_ bell: SyncSignal) async throws {
        var failures = 0
        while true {
            let opened = SyncSignal()
            var why = "the connection for pushes has ended"
            do {
                try await takePushes(bell, opened)
            } catch {
                why = Self.words(error)
            }
            try Task.checkCancellation()
            failures = opened.take() == nil ? failures + 1 : 1
            let now = configuration.now()
            let until = Hold.backOff(after: failures, why: why, at: now).until ?? now
            await say(.interrupted(why: why, until: until))
            try await configuration.pause(until: until)
        }
    }

    /// Receives pushes until the connection breaks.
    private nonisolated func takePushes(_ bell: SyncSignal, _ opened: SyncSignal) async throws {
        async let _: Void = noteConnection(opened, bell)
        try await container.receivePushes {
            opened.ring()
        } _: { push in
            bell.ring { $0.news.insert(PushedChange(push)) }
        }
    }

    private func noteConnection(_ opened: SyncSignal, _ bell: SyncSignal) async throws {
        try await opened.rung()
        say(.connected)
        bell.ring { ($0.looks, $0.isHurried) = (true, true) }
    }
}
