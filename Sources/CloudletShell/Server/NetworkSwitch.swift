import Cloudlet
import Synchronization

/// The simulated network of every device in a shell.
final class NetworkSwitch: Sendable {
    /// Waits on the shell's clock.
    typealias Pause = @Sendable (Duration) async throws -> Void

    /// The additional time of every request on a slow network.
    static let delay = Duration.seconds(3)
    /// The time after which a request without a limit of its own fails on a dead network.
    private static let defaultTimeout = Duration.seconds(60)

    private struct Network {
        var profile: NetworkProfile
        /// The number of requests since the profile was set.
        var requests = 0
    }

    private let networks = Mutex<[String: Network]>([:])

    func profile(of device: String) -> NetworkProfile {
        networks.withLock { $0[device]?.profile ?? .on }
    }

    func set(_ device: String, _ profile: NetworkProfile) {
        networks.withLock { $0[device] = Network(profile: profile) }
    }

    /// A transport for one device, which behaves as the device's network does at each request.
    func transport(
        of device: String, over base: any CloudTransport, pause: @escaping Pause
    ) -> any CloudTransport {
        SwitchedTransport(base: base, device: device, network: self, pause: pause)
    }

    /// Counts a request, and returns the profile and the number of the request under it, from 1.
    private func next(of device: String) -> (profile: NetworkProfile, number: Int) {
        networks.withLock { networks in
            var network = networks[device] ?? Network(profile: .on)
            network.requests += 1
            networks[device] = network
            return (network.profile, network.requests)
        }
    }

    private struct SwitchedTransport: CloudTransport {
        let base: any CloudTransport
        let device: String
        let network: NetworkSwitch
        let pause: Pause

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            let (profile, number) = network.next(of: device)
            let limit = [request.idleTimeout, request.timeout].compactMap { $0 }.min()
            switch profile {
            case .on:
                return try await base.send(request)
            case .off:
                throw CloudTransportError.unreachable("\(device) is offline; to connect it: network on")
            case .lossy where !number.isMultiple(of: 3):
                return try await base.send(request)
            case .lossy:
                if number.isMultiple(of: 6) { _ = try await base.send(request) }
                throw CloudTransportError.connectionLost(
                    "the network of \(device) is lossy; to repair it: network on")
            case .slow:
                let isTooLate = limit.map { $0 < NetworkSwitch.delay } ?? false
                try await pause(isTooLate ? limit ?? .zero : NetworkSwitch.delay)
                if isTooLate { throw CloudTransportError.timedOut }
                return try await base.send(request)
            case .dead:
                try await pause(limit ?? NetworkSwitch.defaultTimeout)
                throw CloudTransportError.timedOut
            }
        }
    }
}
