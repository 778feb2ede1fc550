import Foundation
import RecordsWire
import Testing

@testable import TestKit
@testable import cloudlet_command

@Suite("How alerts reach the operator", .timeLimit(.minutes(30)))
struct AlertDeliveryTests {
    private static let json = #"{"rule":"errors>5%","state":"raised"}"#

    private func url(_ server: StubServer, _ path: String = "/hook/secret") throws -> URL {
        try #require(URL(string: server.address + path))
    }

    @Test("A webhook gets the alert as the JSON body of a POST")
    func webhook() async throws {
        let server = try StubServer(status: 204, body: "")
        defer { server.stop() }
        try await AlertOptions.post(Self.json, to: try url(server), within: .seconds(30))
        let request = try #require(server.received.first)
        #expect(server.received.count == 1)
        #expect(request.hasPrefix("POST /hook/secret HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\ncontent-type: application/json\r\n"))
        #expect(request.hasSuffix("\r\n\r\n" + Self.json))
    }

    @Test("A redirect is not followed, and an error is a failure that does not repeat the secret address")
    func refusals() async throws {
        let other = try StubServer(body: "")
        defer { other.stop() }
        for status in [301, 302, 307, 308, 404, 500] {
            let server = try StubServer(status: status, headers: ["Location: \(other.address)/"], body: "")
            defer { server.stop() }
            let address = try url(server)
            let error = await #expect(throws: (any Error).self) {
                try await AlertOptions.post(Self.json, to: address, within: .seconds(30))
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("\(status)") && !text.contains("secret"), "\(text)")
            #expect(server.received.count == 1)
        }
        #expect(other.received.isEmpty)
    }

    @Test("An address that does not answer in time, and one that nobody listens at, are failures")
    func silent() async throws {
        let server = try StubServer { _ in nil }
        let address = try url(server)
        let late = await #expect(throws: CloudTransportError.self) {
            try await AlertOptions.post(Self.json, to: address, within: .milliseconds(100))
        }
        #expect(late == .timedOut)
        server.stop()
        let unused = try #require(URL(string: "http://127.0.0.1:1/hook/secret"))
        let gone = await #expect(throws: CloudTransportError.self) {
            try await AlertOptions.post(Self.json, to: unused, within: .seconds(30))
        }
        #expect(gone.map { "\($0)".contains("secret") } == false)
    }

    /// An executable script in a folder.
    private func script(_ text: String, in folder: URL) throws -> OperatorProgram {
        let file = folder.appendingPathComponent("tell")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        return OperatorProgram(path: file.path)
    }

    @Test("A program gets the alert on its standard input, and nothing as an argument")
    func program() async throws {
        try await withFolder { folder in
            let got = folder.appendingPathComponent("got").path
            let program = try script("cat > \(got); echo $# >> \(got)", in: folder)
            try await program.send(Self.json + "\n", within: .seconds(30))
            #expect(try String(contentsOfFile: got, encoding: .utf8) == Self.json + "\n0\n")
        }
    }

    @Test("A program that fails, or does not end in time, is a failure that names it")
    func failingProgram() async throws {
        try await withFolder { folder in
            let failing = try script("exit 3", in: folder)
            let failure = await #expect(throws: OperatorProgram.Failure.self) {
                try await failing.send(Self.json, within: .seconds(30))
            }
            #expect(failure.map { "\($0)".contains("/tell ended with") } == true)
            let hanging = try script("exec sleep 600", in: folder)
            let late = await #expect(throws: OperatorProgram.TimedOut.self) {
                try await hanging.send(Self.json, within: .milliseconds(200))
            }
            #expect(late.map { "\($0)".contains("/tell took longer than") } == true)
        }
    }
}
