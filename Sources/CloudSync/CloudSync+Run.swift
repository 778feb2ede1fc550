// Owns the long life of a sync: what wakes it up.

import Cloudlet
import Foundation
import LocalReplica

extension CloudSync {
    /// Syncs whenever there is a reason: an edit on this device, a push, another account, a wait that is
    /// over. Ends when the task is cancelled.
    ///
    /// Pushes may be lost: whenever their connection is made, the server is asked what changed.
    ///
    /// - Throws: `ReplicaError`; nothing when it is cancelled.
    public func run() async throws {
        let (alarms, bell) = AsyncStream.makeStream(of: Alarm.self, bufferingPolicy: .bufferingNewest(16))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.listenToPushes(bell) }
                group.addTask { try await self.listenToEdits(bell) }
                group.addTask { await self.listenToAccounts(bell) }
                bell.yield(.look)
                for await alarm in alarms {
                    let status = try await sync(looks: alarm == .look)
                    guard let until = status.until else { continue }
                    let seconds = max(0, until.timeIntervalSince(configuration.now()))
                    group.addTask {
                        try await self.configuration.pause(.seconds(seconds))
                        bell.yield(.act)
                    }
                }
                group.cancelAll()
            }
        } catch is CancellationError {
            return
        }
    }

    /// Why it wakes up.
    private enum Alarm: Sendable {
        /// Something is known to be done.
        case act
        /// Something may have changed that nobody told of.
        case look
    }

    private nonisolated func listenToPushes(_ bell: AsyncStream<Alarm>.Continuation) async throws {
        guard configuration.subscribes else { return }
        let pushes = container.pushes { isConnected in
            if isConnected { bell.yield(.look) }
        }
        for await push in pushes {
            try await take(push)
            bell.yield(.act)
        }
    }

    private nonisolated func listenToEdits(_ bell: AsyncStream<Alarm>.Continuation) async throws {
        for try await count in replica.observe({ try $0.editCount() }) where count > 0 { bell.yield(.act) }
    }

    private nonisolated func listenToAccounts(_ bell: AsyncStream<Alarm>.Continuation) async {
        for await _ in NotificationCenter.default.notifications(named: .CKAccountChanged) {
            await accountChanged()
            bell.yield(.look)
        }
    }
}
