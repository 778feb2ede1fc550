import Crypto
import Foundation
import RecordStore
package import Records
import Synchronization

/// Registers devices, and posts the notifications of changes to the devices.
package final class DeviceService: Sendable {
    let context: ServiceContext
    let registry: DeviceRegistry
    let hub: PushHub
    let backlog = DeliveryBacklog()
    /// The number of the last notification that this node has posted, or need not post, by the database. Kept
    /// only if the server has other nodes.
    let positions = Mutex<[DatabaseKey: Int64]>([:])
    let seal: TokenSeal

    init(_ context: ServiceContext, hub: PushHub, seal: TokenSeal) {
        self.context = context
        self.hub = hub
        self.seal = seal
        registry = DeviceRegistry(directory: context.directory)
    }

    /// Empties the cache of devices, after people or containers were removed.
    func clearCache() async { await registry.forget() }

    /// Creates a push token for a device or web page. An installation that already has one receives the same
    /// token again.
    package func createPushToken(
        _ service: PushToken.Service, client: String?, by caller: Caller
    ) async throws -> PushToken {
        let user = try caller.requireUserRecordName()
        let client = client ?? caller.device
        let known = try await registry.devices(of: user, in: caller.container, caller.environment)
        if let client, let own = known.first(where: { $0.isCourier(of: client, service) }) {
            // Bind the token to this session: it becomes invalid when the session ends that asked for it most
            // recently.
            if own.session == caller.session?.hash { return own }
            return try await register(own.text, service, client, user, caller, since: own.created)
        }
        let text = Data(context.runtime.randomBytes(24)).base64EncodedString()
        return try await register(text, service, client, user, caller)
    }

    /// Registers an existing token of a device: one of a push service, or one created in another container.
    /// The result has the token in its normalized spelling (see `PushToken.normalized`).
    package func registerPushToken(
        _ text: String, _ service: PushToken.Service, client: String?, by caller: Caller
    ) async throws -> PushToken {
        let user = try caller.requireUserRecordName()
        guard !text.isEmpty, text.utf8.count <= 512 else {
            throw RecordError(
                .badRequest, "an apnsToken has 1 to 512 bytes", culprit: "apnsToken",
                nextStep: "send the token of the device, or create one with tokens/create"
            )
        }
        return try await register(
            PushToken.normalized(text), service, client ?? caller.device, user, caller)
    }

    private func register(
        _ text: String, _ service: PushToken.Service, _ client: String?, _ user: String, _ caller: Caller,
        since created: Timestamp? = nil
    ) async throws -> PushToken {
        try RecordError.check(device: client, context.limits)
        if text.utf8.contains(0) {
            throw RecordError(
                .badRequest, "the token of a device contains the character NUL", culprit: "apnsToken",
                nextStep: "send the token without this character"
            )
        }
        let token = PushToken(
            text: text, service: service, container: caller.container, environment: caller.environment,
            user: user, client: client, created: created ?? context.runtime.now(),
            session: caller.session?.hash
        )
        let before = try await registry.device(text)
        let oldest = try await registry.add(token, limit: context.limits.devicesPerPerson)
        // After the registration, no more pushes are posted for the previous owner.
        if let before, before.user != user {
            hub.forget(before, because: "the device was registered by another person")
        }
        await forget(oldest, because: "the person has too many devices")
        return token
    }

    /// Drops devices that were removed from the directory, together with their waiting pushes, and ends their
    /// connections.
    func forget(_ devices: [PushToken], because reason: String) async {
        for device in devices {
            await registry.drop(device)
            // The same device may still be registered in another container.
            let isElsewhere = try? await registry.device(device.text) != nil
            if isElsewhere != true { hub.forget(device, because: reason) }
        }
    }

    /// Reads a device again, which another node of the server has registered or removed. Ends its connection
    /// if it is no longer the same person's.
    func refresh(_ text: String, in place: ContainerKey) async {
        let before = await registry.cached(text)
        do {
            try await registry.refresh(text, in: place)
            guard let before else { return }
            if try await registry.device(text)?.user != before.user {
                hub.forget(before, because: "the device was removed, or registered by another person")
            }
        } catch {
            await clearCache()
        }
    }

    /// The device with a token. Throws `notFound` if there is none.
    package func device(withToken text: String) async throws -> PushToken {
        if let device = try await registry.device(PushToken.normalized(text)) { return device }
        throw RecordError.noDevice
    }
}

extension RecordError {
    /// The error for the token of a device that is not registered.
    static let noDevice = RecordError(
        .notFound, "there is no device with this token", culprit: "tok",
        nextStep: "get a token with tokens/create, and use the webcourierURL of its answer"
    )
}

extension PushToken {
    fileprivate func isCourier(of client: String, _ service: Service) -> Bool {
        self.client == client && self.service == service && deviceToken == nil
    }
}
