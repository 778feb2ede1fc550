import Cloudlet
import Synchronization

/// The simulated network state of every device in a shell.
final class NetworkSwitch: Sendable {
    private let offline = Mutex<Set<String>>([])

    func isOffline(_ device: String) -> Bool { offline.withLock { $0.contains(device) } }

    func set(_ device: String, isOffline: Bool) {
        offline.withLock { devices in
            if isOffline { devices.insert(device) } else { devices.remove(device) }
        }
    }

    /// A transport for one device, which fails while the device is offline.
    func way(of device: String, over base: any CloudTransport) -> any CloudTransport {
        SwitchedTransport(base: base, device: device, network: self)
    }

    private struct SwitchedTransport: CloudTransport {
        let base: any CloudTransport
        let device: String
        let network: NetworkSwitch

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if network.isOffline(device) { throw CloudTransportError.unreachable("\(device) is off line") }
            return try await base.send(request)
        }
    }
}
