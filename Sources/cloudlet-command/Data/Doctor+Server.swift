// Owns what the doctor asks of a server that runs, and of the port that one would take.

import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import RecordsWire

#if canImport(Glibc)
import Glibc
#endif

extension Doctor {
    /// Looks for types and fields that development has and a production in use has not.
    func lookForDrift(on folder: URL, _ check: inout DataCheck) async {
        guard let client = try? OperatorClient.running(on: folder),
            let list = try? JSONDocument(try await client.answer(to: .get("containers"))).root["containers"]
        else { return }
        for name in list.elements.compactMap({ $0.text("name") }) {
            guard let count = try? await drift(of: name, client), count > 0 else { continue }
            check.note(
                "containers/\(name)",
                "development has \(count) \(count == 1 ? "change" : "changes") that production has not",
                nextStep: "cloudlet schema diff \(name), then: cloudlet schema deploy \(name)")
        }
    }

    /// How far a production that somebody deployed to is behind.
    private func drift(of container: String, _ client: OperatorClient) async throws -> Int {
        let production = OperatorCall.get("containers", container, "production", "schema")
        let schema = try JSONDocument(try await client.answer(to: production)).root.text("schema") ?? ""
        guard schema.replacing("RECORD TYPE Users", with: "").contains("RECORD TYPE") else { return 0 }
        let deploy = OperatorCall.post("containers", container, "development", "schema", "deploy") {
            $0.member("dryRun", true)
        }
        let answer = try JSONDocument(try await client.answer(to: deploy)).root
        return try answer.required("differences").array().reduce(0) { count, _ in count + 1 }
    }

    /// Looks whether the port that the settings name is free for a server on this folder.
    func lookAtPort(_ check: inout DataCheck) throws {
        let settings = try Surroundings.settings()
        guard !check.isInUse, let text = settings["port"], let port = UInt16(text), port > 0 else { return }
        let host = settings["host"] ?? "127.0.0.1"
        if Self.isFree(host, port) { return }
        check.note(
            "port \(port)", "somebody else listens on \(host):\(port), so serve cannot",
            nextStep: "find out who: ss -ltnp 'sport = :\(port)'; or take another: cloudlet serve --port 0")
    }

    /// Whether one could listen there.
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
