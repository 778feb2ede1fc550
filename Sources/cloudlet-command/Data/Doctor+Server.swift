import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

#if canImport(Glibc)
import Glibc
#endif

extension Doctor {
    /// Adds a finding if the certificate of the running server is not valid now, or expires soon.
    func lookAtCertificate(_ access: OperatorAccess, _ check: inout DataCheck) {
        let now = Date()
        guard let term = access.certificate.flatMap({ CertificateTerm(der: $0) }),
            let warning = term.warning(at: now)
        else { return }
        check.note(
            "server", warning, nextStep: CertificateTerm.nextStep, isProblem: !term.isValid(at: now))
    }

    /// Adds a notice about the active faults of a server. A server without fault injection refuses the call,
    /// which is no problem.
    func lookForFaults(at url: URL, _ client: OperatorClient, _ check: inout DataCheck) async {
        do {
            for fault in try await client.send(ListFaults()).faults {
                check.note(
                    "server", "the fault \(fault.name) is active, so calls fail or slow down on purpose",
                    nextStep: "clown-central --server \(url) -c 'fault clear'")
            }
        } catch let error as RecordError where error.code == .accessDenied {
            return
        } catch {
            check.note(
                "server", "its faults cannot be read: \(Self.reason(error))", nextStep: "read its log")
        }
    }

    /// Adds a notice for each container whose development schema has changes that were not deployed, if its
    /// production environment is in use.
    func reportUndeployedChanges(on folder: URL, _ check: inout DataCheck) async {
        do {
            guard let client = try OperatorClient.running(on: folder) else { return }
            for container in try await client.send(ListContainers()).elements {
                let (name, count) = (container.name, try await undeployedChanges(of: container.name, client))
                if count == 0 { continue }
                check.note(
                    "containers/\(name)",
                    "development has \(count) \(count == 1 ? "change" : "changes") that production lacks",
                    nextStep: "cloudlet schema diff \(name), then: cloudlet schema deploy \(name)")
            }
        } catch {
            check.note(
                "server", "its schemas cannot be compared: \(Self.reason(error))",
                nextStep: "read its log")
        }
    }

    /// The number of differences between development and production. It is 0 if production has no type of the
    /// app yet, or if the server refuses a trial deployment.
    private func undeployedChanges(of container: String, _ client: OperatorClient) async throws -> Int {
        do {
            let production = try await client.send(ReadSchema(of: container, .production))
            guard production.types.contains(where: { $0.name != "Users" }) else { return 0 }
            return try await client.send(DeploySchema(of: container, isTrial: true)).differences.count
        } catch let error as RecordError where error.code != .internalError {
            return 0
        }
    }

    static func reason(_ error: any Error) -> String {
        (error as? RecordError)?.reason ?? "\(error)"
    }

    /// Adds a notice if another process uses the port in the settings. While a server runs on the folder, the
    /// port is not checked.
    func lookAtPort(_ check: inout DataCheck) throws {
        let settings = try CommandSettings.settings()
        guard !check.isInUse, let text = settings["port"], let port = UInt16(text), port > 0 else { return }
        let host = settings["host"] ?? "127.0.0.1"
        if Self.isFree(host, port) { return }
        check.note(
            "port \(port)", "another process listens on \(host):\(port), so cloudlet serve cannot",
            nextStep:
                "find the process: ss -ltnp 'sport = :\(port)'; or use another port: cloudlet serve --port 0")
    }

    /// Whether the port can be bound. It is also true if the host cannot be resolved.
    private static func isFree(_ host: String, _ port: UInt16) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else { return true }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, address.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        return bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
            || errno != EADDRINUSE
    }
}
