// Owns the server behind a shell: one in this process, or one elsewhere.
import Cloudlet
import CloudletServer
import Foundation

/// A server that is ready, and how to part from it.
struct Host: Sendable {
    let site: Site
    private let server: CloudletServer?

    /// Starts or reaches the server that the options name; `talk` hears where the data lies.
    static func open(
        _ choice: ShellOptions.Server,
        machine: Machine,
        now: @escaping @Sendable () -> Date,
        talk: (String) -> Void
    ) async throws -> Host {
        let assets = machine.workFolder.appendingPathComponent("assets", isDirectory: true)
        switch choice {
        case .remote(let url):
            let transport = HTTPTransport(url: url)
            let site = Site(transport: transport, place: url.absoluteString, assetFolder: assets, now: now)
            return Host(site: site, server: nil)
        case .ephemeral:
            let server = try await CloudletServer.start(.ephemeral)
            let place = "embedded, in memory"
            let site = Site(transport: server.transport, place: place, assetFolder: assets, now: now)
            return Host(site: site, server: server)
        case .embedded(let folder):
            let folder = folder ?? machine.defaultDataFolder
            talk("data: \(folder.path)\n")
            let server = try await CloudletServer.start(data: folder)
            let place = "embedded, data in \(folder.path)"
            let site = Site(transport: server.transport, place: place, assetFolder: assets, now: now)
            return Host(site: site, server: server)
        }
    }

    /// Ends an embedded server.
    func close() async {
        await server?.stop()
    }
}
