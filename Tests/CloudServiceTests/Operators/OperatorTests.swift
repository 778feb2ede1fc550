import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The operator's handler", .timeLimit(.minutes(30)))
struct OperatorTests {
    @Test("The handler accepts only the operator's key, and reveals nothing to others")
    func key() async throws {
        try await serving { world in
            let key = world.server.operatorKey
            let wrong: [CloudHeaders] = [
                [:], ["Authorization": "Bearer "], ["Authorization": "Bearer x"], ["Authorization": key],
                ["Authorization": "Bearer \(key)0"], ["Authorization": "Bearer \(key.dropLast())"],
                ["Authorization": "bearer-token \(key)"],
            ]
            for headers in wrong {
                for (method, path) in [("GET", "containers"), ("POST", "containers"), ("GET", "nothing")] {
                    let reply = try await world.send(method, "/operator/1/\(path)", headers: headers)
                    #expect(
                        reply.failure
                            == "401 AUTHENTICATION_FAILED: the operator's key is missing or wrong",
                        "\(headers)")
                }
            }
            #expect(try await world.operate("GET", "containers").status == 200)
            let unknown = try await world.operate("GET", "nothing")
            #expect(unknown.failure == "404 NOT_FOUND: unknown call")
        }
    }

    @Test("The key is random, readable by its owner only, and the same after a restart")
    func keyFile() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let server = try await CloudletServer.start(data: folder)
        let key = server.operatorKey
        await server.stop()
        let file = folder.appendingPathComponent("operator.key").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(key.count == 64)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == key + "\n")
        let again = try await CloudletServer.start(data: folder)
        #expect(again.operatorKey == key)
        await again.stop()
        let other = try await CloudletServer.start(.ephemeral)
        #expect(other.operatorKey != key)
        await other.stop()
    }

    @Test("While a server listens, its folder contains its address")
    func address() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let server = try await CloudletServer.start(data: folder, port: 0)
        #expect(OperatorAccess(dataFolder: folder).url == server.url)
        #expect(OperatorAccess(dataFolder: folder).key == server.operatorKey)
        await server.stop()
        #expect(OperatorAccess(dataFolder: folder).url == nil)
        // A server that does not listen removes the address that a killed one has left.
        let stale = folder.appendingPathComponent("server.json")
        try Data(#"{"url":"http://127.0.0.1:1"}"#.utf8).write(to: stale)
        let silent = try await CloudletServer.start(data: folder)
        #expect(OperatorAccess(dataFolder: folder).url == nil)
        await silent.stop()
    }
}
