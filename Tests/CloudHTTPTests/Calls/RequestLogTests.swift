import CloudService
import CloudletServer
import Hummingbird
import Logging
import RecordsWire
import Synchronization
import Testing

@testable import CloudHTTP
@testable import ServerKit
@testable import TestKit

@Suite("The log of requests", .timeLimit(.minutes(30)))
struct RequestLogTests {
    private func lines(
        at level: Logger.Level, _ scenario: (ServerWorld) async throws -> Void
    ) async throws -> [String] {
        let notebook = LogRecorder()
        try await withServer(.loopback) {
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            $0.logger.logLevel = level
        } _: { world in
            try await scenario(world)
        }
        return notebook.lines.withLock(\.self).filter { $0.hasPrefix("request ") }
    }

    @Test("At the level info, a request is one line without names, tokens and queries")
    func lines() async throws {
        let lines = try await lines(at: .info) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.lookup("private", "my diary", as: alice)
            let unknown = try await world.send("GET", "/secret?token=x")
            #expect(unknown.status == 404)
            _ = try await world.send("GET", "/assets/ticket")
        }
        #expect(lines.count == 4)
        let paths = lines.map { line in
            line.split(separator: " ").first { $0.hasPrefix("path=") }.map { String($0.dropFirst(5)) }
        }
        #expect(
            paths == [
                "/dev/sign-in", "/database/1/iCloud.test/development/private/records/lookup", "/…",
                "/assets/:ticket",
            ])
        for line in lines {
            for part in ["method=", "status=", "ms=0.0", "bytes=", "request="] {
                #expect(line.contains(part), "\(part) is missing: \(line)")
            }
            for secret in ["diary", "Token", "token", "secret", "alice"] { #expect(!line.contains(secret)) }
        }
        #expect(lines[2].contains("code=notFound"))
        #expect(lines[3].contains("status=403"))
    }

    @Test("At a higher level, no request is logged")
    func off() async throws {
        let lines = try await lines(at: .notice) { world in
            let limits = try await world.send("GET", "/limits")
            #expect(limits.status == 200)
        }
        #expect(lines == [])
    }

    @Test("The log shows a client's network, the client's address, or neither, as configured")
    func addresses() throws {
        let four = try #require(NetworkAddress("192.0.2.77"))
        let six = try #require(NetworkAddress("2001:db8:1:2::5"))
        let texts: [(LoggedAddresses, ofFour: String?, ofSix: String?)] = [
            (.none, nil, nil), (.network, "192.0.2.0/24", "2001:db8:1::/48"),
            (.address, "192.0.2.77", "2001:db8:1:2::/64"),
        ]
        for (addresses, ofFour, ofSix) in texts {
            let log = RequestLog(logger: Logger(label: "test"), addresses: addresses)
            #expect(log.text(of: four) == ofFour)
            #expect(log.text(of: six) == ofSix)
        }
    }
}
