import Foundation
import Logging
import Records
import Synchronization
import Testing

@testable import CloudService
@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Random identifiers")
struct ServerRuntimeTests {
    private let runtime = ServerRuntime(
        now: { Timestamp(milliseconds: 0) }, randomBytes: { [UInt8](repeating: 0xab, count: $0) },
        pause: { _ in }, idle: { _ in }, uptime: { .zero })

    @Test("A UUID has version 4 and upper-case digits; other identifiers have lower-case digits")
    func spelling() {
        #expect(runtime.randomUUID() == "ABABABAB-ABAB-4BAB-ABAB-ABABABABABAB")
        #expect(runtime.randomHex(bytes: 2) == "abab")
        #expect([UInt8(0), 9, 0x1f].hexadecimal == "00091f")
    }
}

@Suite("The log of a server")
struct LateLogHandlerTests {
    /// A metadata value that notes when it is formatted.
    private struct Number: CustomStringConvertible, Sendable {
        let formatted: LogRecorder
        var description: String {
            formatted.lines.withLock { $0.append("formatted") }
            return "7"
        }
    }

    @Test("Metadata is formatted only for messages that are logged, and is complete")
    func late() {
        let (notebook, formatted) = (LogRecorder(), LogRecorder())
        var logger = Logger(label: "test") { _ in LateLogHandler(LogRecorder.Writer(notebook: notebook)) }
        #expect(logger.logLevel == .notice)
        logger[metadataKey: "request"] = .stringConvertible(Number(formatted: formatted))
        logger.info("below the level")
        #expect(notebook.lines.withLock(\.self) == [])
        #expect(formatted.lines.withLock(\.self) == [])
        logger.error("broken", metadata: ["why": "x"])
        #expect(notebook.lines.withLock(\.self) == ["broken request=7 server=s why=x"])
    }

    @Test("A line in JSON is one object, with numbers as numbers and line breaks escaped")
    func json() {
        let notebook = LogRecorder()
        let logger = Logger(label: "test") { _ in
            JSONLogHandler(
                now: { Date(timeIntervalSince1970: 0) },
                write: { line in
                    notebook.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                })
        }
        logger.info("left out")
        logger.warning("two\nlines", metadata: ["status": .stringConvertible(200), "path": "/a\"b"])
        let text = notebook.lines.withLock { $0.joined() }
        #expect(text.hasPrefix(#"{"time":"1970-01-01T00:00:00"#))
        #expect(
            text.hasSuffix(
                #"Z","level":"warning","message":"two\nlines","path":"/a\"b","status":200}"# + "\n"))
    }
}
