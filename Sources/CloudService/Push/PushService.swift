import RecordStore
package import Records

/// Manages subscriptions and notification collections, and begins the connections on which devices receive
/// pushes.
package final class PushService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let devices: DeviceService
    let schemaCache: SchemaCache
    let rateLimiter: RateLimiter
    /// Seals the tokens that clients keep.
    let seal: TokenSeal

    init(
        _ context: ServiceContext, databases: DatabaseService, devices: DeviceService,
        schemaCache: SchemaCache, rateLimiter: RateLimiter, seal: TokenSeal
    ) {
        self.context = context
        self.databases = databases
        self.devices = devices
        self.schemaCache = schemaCache
        self.rateLimiter = rateLimiter
        self.seal = seal
    }

    // MARK: Connections

    /// Begins a connection on which a device receives its pushes.
    ///
    /// Waiting pushes are kept in memory only, and a node misses those of other nodes while it cannot be told
    /// of them. A device that connects for the first time after a restart, or after such a time, therefore
    /// receives the latest notification of its collection once more, as a silent push, and then fetches the
    /// collection.
    ///
    /// Counts as a request of the device's owner. Throws as `PushHub.connect` does, `throttled`, and
    /// `notFound` for a device that was removed meanwhile.
    package func connect(_ device: PushToken) async throws -> Int {
        let person = Caller(
            container: device.container, environment: device.environment, identity: .person(device.user))
        if let refusal = rateLimiter.charge(person)?.refusal { throw refusal }
        let (connection, hasMissed) = try devices.hub.connect(device)
        // Another request may have removed the device meanwhile.
        guard try await devices.registry.device(device.text) != nil else {
            devices.hub.forget(device, because: "the device was forgotten")
            throw RecordError.noDevice
        }
        if hasMissed { await postLatestNotification(to: device) }
        return connection
    }

    private static let lossReason = "pushes may have been lost, so the device must fetch its notifications"

    /// Posts the latest notification of the device's owner again, as a silent push.
    private func postLatestNotification(to device: PushToken) async {
        var latest: PushMessage?
        let person = Caller(
            container: device.container, environment: device.environment, identity: .person(device.user))
        let own = [nil, device.user].map {
            DatabaseKey(container: device.container, environment: device.environment, owner: $0)
        }
        let sharing: [DatabaseKey]
        do {
            sharing = try await databases.sharingKeys(for: person)
        } catch {
            sharing = []
            let name = PushDispatch.name(of: device)
            context.runtime.report("the zones shared with the owner of \(name) cannot be read: \(error)")
        }
        for key in own + sharing {
            if context.provider.empty(key) != nil { continue }
            do {
                guard
                    let entry = try await databases.using(
                        key, { try await $0.records.latestNotification(of: device.user) })
                else { continue }
                let message = devices.message(entry, from: key)
                if latest.map({ $0.notification.origin.at <= message.notification.origin.at }) ?? true {
                    latest = message
                }
            } catch {
                context.runtime.report("the collection of a device in \(key.text) cannot be read: \(error)")
            }
        }
        let oldest = context.runtime.now().advanced(bySeconds: -Int64(context.limits.pushSeconds))
        guard var message = latest, message.notification.origin.at >= oldest,
            !DeviceService.isOrigin(device, of: message.notification)
        else { return }
        message.notification.presentation = PushPresentation()
        message.notification.presentation.isContentAvailable = true
        devices.hub.post(PushBody(message), to: [device], because: Self.lossReason)
    }
}
