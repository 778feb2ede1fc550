import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Connections", .timeLimit(.minutes(30)))
struct ConnectionTests {
    private let notebook = LogRecorder()

    private var logger: Logger {
        let notebook = notebook
        return Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
    }

    @Test(
        "The default limit of connections is half the number of open files that the databases leave",
        arguments: [(1_048_576, 4096), (20_000, 4096), (1024, 256), (3000, 924), (1, 1)])
    func most(files: Int, connections: Int) {
        #expect(ConnectionCap(nil, files: files, limits: .hosted, logger: logger).most == connections)
        #expect(ConnectionCap(9, files: files, limits: .hosted, logger: logger).most == 9)
    }

    @Test(
        "The number of connections accepted at a time is a small part of the limit",
        arguments: [(1, 4), (512, 8), (18_848, 64)])
    func acceptedAtOnce(most: Int, atOnce: Int) {
        #expect(ConnectionCap(most, files: 1024, limits: Limits(), logger: logger).atOnce == atOnce)
    }

    @Test(
        "The number of open databases depends on the limit of open files",
        arguments: [(200, 4), (1024, 56), (10, 1)])
    func databases(files: Int, databases: Int) {
        #expect(OpenFiles.databases(of: files) == databases)
    }

    @Test("Reaching the limit is logged once, and again after a tenth of the connections have ended")
    func logsOnce() {
        var cap = ConnectionCap(10, files: 1024, limits: Limits(), logger: logger)
        for _ in 0..<9 { cap.connectionOpened() }
        #expect(cap.isAcceptingNewConnections())
        #expect(notebook.lines.withLock(\.count) == 0)
        for _ in 0..<3 {
            cap.connectionOpened()
            #expect(!cap.isAcceptingNewConnections())
            cap.connectionClosed()
        }
        #expect(
            notebook.lines.withLock(\.self) == [
                """
                10 connections are open, which is the limit; others wait until one ends - raise \
                ServerConfiguration.connectionLimit or Limits.connections, and the limit of open files \
                (ulimit -n) server=s
                """
            ])
        cap.connectionClosed()
        for _ in 0..<2 { cap.connectionOpened() }
        #expect(notebook.lines.withLock(\.count) == 2)
    }

    @Test("A connection beyond the limit is answered when another one has ended")
    func waits() async throws {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        configuration.connectionLimit = 1
        configuration.logger = logger
        let server = try await CloudletServer.start(configuration)
        let url = try #require(server.url)
        let first = HTTPClient()
        let request = HTTPClientRequest(url: url.absoluteString + "/limits")
        let answer = try await first.execute(request, timeout: .seconds(20))
        _ = try await answer.body.collect(upTo: 1 << 20)
        async let second = RawHTTP(url).send("GET", "/limits", [:], [])
        try await first.shutdown()
        #expect(try await second.status == 200)
        #expect(notebook.lines.withLock(\.first)?.hasPrefix("1 connections are open") == true)
        await server.stop()
    }
}
