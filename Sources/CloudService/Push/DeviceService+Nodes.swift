import RecordStore
import Records
import Synchronization

/// Pushes at a server of several nodes.
///
/// Each node posts each notification to the devices that connect to it for their pushes: its own after the
/// request, those of another node when that node tells of them. It posts them in the order of their numbers,
/// but for skipped ones; see `DeliveryCursor`. The node that wrote a notification also counts the badge and
/// sends the push to push services.
extension DeviceService {
    /// The maximum number of databases whose positions are kept.
    private static let positionCount = 20_000

    /// Where the posting of a database's notifications continues when it is opened again.
    func position(in key: DatabaseKey) -> Int64? {
        context.provider.isNode ? positions.withLock { $0[key] } : nil
    }

    func notePosition(_ number: Int64, in key: DatabaseKey) {
        guard context.provider.isNode else { return }
        positions.withLock { positions in
            if positions.count >= Self.positionCount, positions[key] == nil { positions.removeAll() }
            positions[key] = max(positions[key] ?? number, number)
        }
    }

    /// Tells the other nodes of the notifications among these that this node wrote.
    func tellOtherNodes(of entries: [NumberedNotification], in key: DatabaseKey) async {
        guard context.provider.isNode else { return }
        let own = entries.filter { !$0.isForeign }
        guard let first = own.first, let last = own.last else { return }
        do {
            try await context.provider.tellOfNotifications(
                after: first.number - 1, upTo: last.number, in: key)
        } catch {
            context.runtime.report("the other nodes were not told of pushes in \(key.text): \(error)")
        }
    }

    /// Ends the connections of devices to this node, because it could not be told of the notifications that
    /// other nodes have written. The devices connect again, get the latest one, and fetch the others.
    func missPushes() {
        hub.beginAgain(
            because: "pushes of other nodes were missed, so the device must fetch its notifications")
    }

    /// Posts the notifications that another node has written.
    func deliver(_ written: DeliveryCursor.Range, writtenIn key: DatabaseKey) async {
        let place = ContainerKey(container: key.container, environment: key.environment)
        do {
            guard try await registry.hasDevices(in: place), context.provider.exists(key) else {
                return notePosition(written.upTo, in: key)
            }
            let database = try await context.provider.lease(key)
            if let number = position(in: key) { database.delivery.resume(after: number) }
            database.delivery.note(after: written.after, upTo: written.upTo)
            await deliver(from: database)
            await context.provider.giveBack(key)
        } catch {
            context.runtime.report("pushes of another node in \(key.text) were not delivered: \(error)")
        }
    }
}
