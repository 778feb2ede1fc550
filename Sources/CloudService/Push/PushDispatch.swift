import Records

/// Takes the pushes for devices of an external push service from their outboxes and sends them through the
/// gateway.
///
/// It sends one push at a time to each device, and to many devices at once. While the service fails, pushes
/// wait in the outbox, under the rules for a connected device, and are sent again after a pause.
package final class PushDispatch: Sendable {
    private let hub: PushHub
    private let registry: DeviceRegistry
    private let gateway: any PushGateway
    private let runtime: ServerRuntime
    private let limits: Limits
    /// Devices that have pushes to send.
    private let signals: AsyncStream<PushToken>

    /// Longest pause between attempts, in seconds.
    private static let maximumPause = 3600

    init(
        hub: PushHub, registry: DeviceRegistry, gateway: any PushGateway, runtime: ServerRuntime,
        limits: Limits
    ) {
        self.hub = hub
        self.registry = registry
        self.gateway = gateway
        self.runtime = runtime
        self.limits = limits
        // The stream needs no bound: a device is signalled again only after it was served, so there are never
        // more signals than devices.
        let (signals, signal) = AsyncStream.makeStream(of: PushToken.self)
        self.signals = signals
        hub.useGateway { signal.yield($0) }
    }

    /// Sends pushes until it is cancelled, then closes the gateway's connections.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await device in signals { group.addTask { await self.sendPushes(to: device) } }
            group.cancelAll()
        }
        await gateway.close()
    }

    private func sendPushes(to device: PushToken) async {
        guard let token = device.deviceToken else { return }
        var failures = 0
        while !Task.isCancelled {
            var seconds = 0
            switch hub.nextForGateway(device) {
            case .nothing: return
            case .wait(let due): seconds = due
            case .push(let push):
                let expires = push.since.advanced(bySeconds: Int64(limits.pushSeconds))
                let answer = await gateway.send(
                    GatewayPush(push.message, expires: expires), to: token, of: device.service)
                guard let pause = await handle(answer, push, device, failures) else { return }
                failures = pause > 0 ? failures + 1 : 0
                seconds = pause
            }
            if seconds > 0 {
                do { try await runtime.pause(seconds) } catch { return }
            }
        }
    }

    /// Handles the push service's answer to a push. Returns the seconds to wait before the next push; nil if
    /// this registration of the device is no longer valid.
    private func handle(
        _ answer: GatewayAnswer, _ push: QueuedPush, _ device: PushToken, _ failures: Int
    ) async -> Int? {
        switch answer {
        case .accepted:
            hub.traceSent([push], to: device)
            return 0
        case .refused(let reason):
            hub.traceDropped(push, for: device, because: reason)
            runtime.report("a push to the device \(Self.name(of: device)) was refused: \(reason)")
            return 0
        case .later(let reason, let seconds):
            let pause = Self.pause(afterFailure: failures, atLeast: seconds)
            hub.takeBack([push], for: device)
            hub.traceWaiting(push, for: device, because: "\(reason); again in \(pause) s")
            return pause
        case .gone(let reason, let since):
            hub.traceDropped(push, for: device, because: reason)
            // The device was registered again after the push service lost it.
            if let since, device.created > since { return 0 }
            do {
                // The device may have been registered again while its push was being sent.
                if let now = try await registry.device(device.text), now != device {
                    if now.user == device.user { hub.signalAgain(now) }
                    return nil
                }
                try await registry.remove(device)
            } catch {
                runtime.report("the device \(Self.name(of: device)) was not forgotten: \(error)")
            }
            hub.forget(device, because: reason)
            return nil
        }
    }

    /// The name of a device for log lines. A name that the client chose is used only if it is visible text,
    /// so that it cannot start new lines or control terminals; the token of a push service is ASCII.
    static func name(of device: PushToken) -> String {
        NameRules.isVisible(device.displayName) ? device.displayName : String(device.text.prefix(6))
    }

    /// The pause after a failure in seconds. It doubles with each failure, and is at least as long as the
    /// push service asks for, up to `maximumPause`.
    static func pause(afterFailure number: Int, atLeast seconds: Int?) -> Int {
        max(min(2 << min(number, 20), maximumPause), min(seconds ?? 0, maximumPause))
    }
}

extension DeviceService {
    /// Creates the task that sends the pushes of devices of an external push service through the gateway.
    /// Call `run` on the result.
    package func dispatch(through gateway: any PushGateway) -> PushDispatch {
        PushDispatch(
            hub: hub, registry: registry, gateway: gateway, runtime: context.runtime, limits: context.limits)
    }
}
