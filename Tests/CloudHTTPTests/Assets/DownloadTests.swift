import CloudletServer
import CloudletTesting
import Foundation
import HTTPTypes
import Logging
import RecordsWire
import Synchronization
import Testing

@testable import CloudHTTP
@testable import ServerKit
@testable import TestKit

@Suite("Downloads", .timeLimit(.minutes(30)))
struct DownloadTests {
    private static let content = Array("0123456789".utf8)

    /// The address of a file of ten bytes, and its checksum.
    private static func address(_ world: ServerWorld) async throws -> (String, String) {
        let alice = try await world.signIn("alice")
        let receipt = try await world.upload(content, record: "f1", as: alice)
        let saved = try await world.modify("public", [world.photo("f1", receipt)], as: alice)
        let value = saved.json["records"][0]["fields"]["file"]["value"]
        return (try #require(value["downloadURL"].text), try #require(value["fileChecksum"].text))
    }

    @Test("A download URL may end with any file name, also with the placeholder for one")
    func placeholder() async throws {
        try await serving { world in
            let (address, _) = try await Self.address(world)
            let suffixes = [
                "", "/${f}", "/%24%7Bf%7D", "/photo.jpg", "/${f}?x=1", "?o=2", "/a%20b.jpg", "/a/b/c",
            ]
            for suffix in suffixes {
                let reply = try await world.send("GET", address + suffix)
                #expect(reply.status == 200, "\(suffix)")
                #expect(reply.bytes == Self.content, "\(suffix)")
            }
        }
    }

    @Test("A damaged file is reported to the client and in the log")
    func damaged() async throws {
        let notebook = LogRecorder()
        try await serving {
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
        } _: { world in
            let (address, _) = try await Self.address(world)
            let folder = world.server.dataFolder
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
            let path = try #require(
                paths?.first { $0.contains("-assets/content/") && $0.split(separator: "/").count > 6 })
            try Data("0123456780".utf8).write(to: folder.appendingPathComponent(path))
            #expect(try await world.send("HEAD", address).status == 200)
            let reply = try await world.send("GET", address)
            #expect(reply.failure == "500 INTERNAL_ERROR: the stored file is damaged")
            // A range whose own bytes are intact fails, too.
            let range = try await world.send("GET", address, headers: ["Range": "bytes=0-3"])
            #expect(range.failure == "500 INTERNAL_ERROR: the stored file is damaged")
        }
        let lines = notebook.lines.withLock(\.self)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.contains("a request failed error=the stored file is damaged [") })
    }

    @Test("A download URL expires")
    func expiry() async throws {
        try await serving { world in
            let (address, _) = try await Self.address(world)
            world.clock.advance(bySeconds: 3599)
            #expect(try await world.send("GET", address).status == 200)
            world.clock.advance(bySeconds: 1)
            let late = try await world.send("GET", address)
            #expect(late.failure == "403 ACCESS_DENIED: the URL is not valid or has expired")
        }
    }

    @Test("A download with a range returns these bytes")
    func ranges() async throws {
        try await serving { world in
            let (address, checksum) = try await Self.address(world)
            let whole = try await world.send("GET", address)
            #expect(whole.headers["Accept-Ranges"] == "bytes")
            #expect(whole.headers["ETag"] == "\"\(checksum)\"")
            #expect(whole.headers["X-Content-Type-Options"] == "nosniff")
            let ranges = [
                ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=7-", "789", "bytes 7-9/10"),
                ("bytes=-2", "89", "bytes 8-9/10"), ("bytes=8-100", "89", "bytes 8-9/10"),
                ("bytes=-100", "0123456789", "bytes 0-9/10"), ("bytes=9-9", "9", "bytes 9-9/10"),
            ]
            for (range, text, place) in ranges {
                let reply = try await world.send("GET", address, headers: ["Range": range])
                #expect(reply.status == 206, "\(range)")
                #expect(reply.text == text, "\(range)")
                #expect(reply.headers["Content-Range"] == place, "\(range)")
            }
            let beyond = try await world.send("GET", address, headers: ["Range": "bytes=10-"])
            #expect(beyond.status == 416)
            #expect(beyond.headers["Content-Range"] == "bytes */10")
            for range in ["bytes=0-1,4-5", "lines=1-2", "bytes=x-", "bytes=5-2", "bytes=-"] {
                let reply = try await world.send("GET", address, headers: ["Range": range])
                #expect(reply.status == 200, "\(range)")
                #expect(reply.bytes == Self.content, "\(range)")
            }
        }
    }

    @Test("A download with the file's entity tag is answered with 304 Not Modified")
    func conditions() async throws {
        try await serving { world in
            let (address, checksum) = try await Self.address(world)
            for tag in ["\"\(checksum)\"", "*", "\"x\", W/\"\(checksum)\"", "\"\(checksum)\" , \"x\""] {
                let reply = try await world.send("GET", address, headers: ["If-None-Match": tag])
                #expect(reply.status == 304, "\(tag)")
                #expect(reply.bytes == [])
                #expect(reply.headers["ETag"] == "\"\(checksum)\"")
            }
            #expect(try await world.send("GET", address, headers: ["If-None-Match": "\"x\""]).status == 200)
            let half: CloudHeaders = ["Range": "bytes=5-", "If-Range": "\"\(checksum)\""]
            #expect(try await world.send("GET", address, headers: half).status == 206)
            let other: CloudHeaders = ["Range": "bytes=5-", "If-Range": "\"x\""]
            #expect(try await world.send("GET", address, headers: other).status == 200)
        }
    }

    @Test("HEAD returns the headers of a file without its bytes")
    func head() async throws {
        try await serving { world in
            let (address, checksum) = try await Self.address(world)
            let reply = try await world.send("HEAD", address)
            #expect(reply.status == 200)
            #expect(reply.headers["Content-Length"] == "10")
            #expect(reply.headers["ETag"] == "\"\(checksum)\"")
            #expect(reply.bytes == [])
            for (target, status) in [("/assets/x", 403), ("/", 404), ("/limits", 404)] {
                let other = try await world.send("HEAD", target)
                #expect(other.status == status, "\(target)")
                #expect(other.bytes == [], "\(target)")
            }
        }
    }

    @Test("A range is cut to the file, refused if the file has none of it, and ignored if it is malformed")
    func plans() {
        let cases: [(String, Int64, DownloadPlan)] = [
            ("bytes=0-0", 1, .part(0..<1)), ("bytes=0-", 0, .unsatisfiable), ("bytes=-5", 0, .unsatisfiable),
            ("bytes=-0", 10, .unsatisfiable), ("bytes=3-4", 4, .part(3..<4)),
            ("bytes=0-9223372036854775807", 4, .part(0..<4)), ("bytes=99999999999999999999-", 4, .whole),
            ("bytes=1-2-3", 4, .whole), ("bytes=+1-2", 4, .whole), ("bytes= 1-2", 4, .whole), ("", 4, .whole),
        ]
        for (range, size, plan) in cases {
            #expect(DownloadPlan([.range: range], tag: "\"t\"", size: size) == plan, "\(range) of \(size)")
        }
    }
}
