import CloudHTTP
import CloudletTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RecordsWire
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Uploads", .timeLimit(.minutes(30)))
struct UploadTests {
    @Test("A file is uploaded, saved in a record, downloaded, and deleted with the record")
    func life() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bytes = Array("not really a photo".utf8)
            let receipt = try await world.upload(bytes, record: "f1", as: alice)
            #expect(receipt.keys == ["fileChecksum", "receipt", "size"])
            #expect(receipt["size"].number == Int64(bytes.count))
            let saved = try await world.modify("public", [world.photo("f1", receipt)], as: alice)
            #expect(saved.records == ["ok"])
            let read = try await world.lookup("public", "f1").json["records"][0]
            let asset = read["fields"]["file"]
            #expect(asset["type"] == "ASSETID")
            #expect(asset["value"].keys == ["downloadURL", "fileChecksum", "size"])
            let address = try #require(asset["value"]["downloadURL"].text)
            #expect(address.hasPrefix(ServerWorld.publicURL + "/assets/"))
            let file = try await world.send("GET", address)
            #expect(file.status == 200)
            #expect(file.bytes == bytes)
            #expect(file.headers["Access-Control-Allow-Origin"] == "*")
            #expect(world.contentFiles.count == 1)
            _ = try await world.modify("public", [forceDelete("f1")], as: alice)
            #expect(world.contentFiles == [])
            #expect(try await world.send("GET", address).status == 404)
        }
    }

    @Test("Deleting a record deletes the files of all records of the cascade")
    func cascade() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("party")], as: alice)
            for name in ["f1", "f2", "f3"] {
                let receipt = try await world.upload(
                    Array("content of \(name)".utf8), record: name, as: alice)
                let more: JSON = ["party": link("party", "DELETE_SELF")]
                _ = try await world.modify("public", [world.photo(name, receipt, more)], as: alice)
            }
            #expect(world.contentFiles.count == 3)
            _ = try await world.modify("public", [forceDelete("party")], as: alice)
            #expect(world.contentFiles == [])
            #expect(world.incomingFiles == [])
        }
    }

    @Test("Equal contents are stored once, as long as a record owns them")
    func duplicates() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            for name in ["f1", "f2"] {
                let receipt = try await world.upload(Array("same".utf8), record: name, as: alice)
                _ = try await world.modify("public", [world.photo(name, receipt)], as: alice)
            }
            #expect(world.contentFiles.count == 1)
            _ = try await world.modify("public", [forceDelete("f1")], as: alice)
            #expect(world.contentFiles.count == 1)
            _ = try await world.modify("public", [forceDelete("f2")], as: alice)
            #expect(world.contentFiles == [])
        }
    }

    @Test("A receipt is valid for its field, type, file and database, until it expires")
    func receipts() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(Array("x".utf8), record: "f1", as: alice)
            func save(_ one: JSON, in database: String = "public") async throws -> [String] {
                try await world.modify("\(database)", [one], as: alice).records
            }
            let refused = ["BAD_REQUEST: bad upload receipt (did_not_validate)"]
            let value: JSON = ["value": receipt, "type": "ASSETID"]
            #expect(try await save(create("f1", type: "Photo", ["other": value])) == refused)
            #expect(try await save(create("f1", type: "Party", ["file": value])) == refused)
            #expect(try await save(world.photo("f1", receipt), in: "private") == refused)
            #expect(try await save(world.photo("f1", receipt.with(["receipt": "AAAA"]))) == refused)
            #expect(try await save(world.photo("f1", receipt.with(["size": 2]))) == refused)
            #expect(try await save(world.photo("f1", receipt.with(["receipt": nil]))) == refused)
            world.clock.advance(bySeconds: 901)
            #expect(try await save(world.photo("f1", receipt)) == refused)
            #expect(
                try await world.lookup("public", "f1").records[0].hasPrefix("NOT_FOUND"))
            #expect(world.contentFiles == [])
        }
    }

    @Test(
        "A path as a checksum is refused in a record, and counts as unknown in a request for an upload URL",
        arguments: ["..", "/", "../content", "AeOwxEKY/../BwUmvv0yJlvuSQnr"])
    func pathChecksums(checksum: String) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(Array("x".utf8), record: "f1", as: alice)
            let strange = receipt.with(["fileChecksum": .string(checksum)])
            for asset in [strange, strange.with(["receipt": nil])] {
                let saved = try await world.modify("public", [world.photo("f1", asset)], as: alice)
                #expect(saved.records == ["BAD_REQUEST: bad upload receipt (did_not_validate)"])
            }
            let token: JSON = [
                "recordType": "Photo", "fieldName": "file", "fileChecksum": .string(checksum), "size": 1,
            ]
            let answer = try await world.call("public/assets/upload", ["tokens": [token]], as: alice)
            #expect(answer.json["tokens"][0]["url"].text != nil)
            #expect(answer.json["tokens"][0]["singleFile"] == .null)
            #expect(world.contentFiles == [])
        }
    }

    @Test("A receipt may occur many times in the list of its field")
    func repeatedReceipts() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(Array("x".utf8), record: "f1", as: alice)
            func save(_ files: [JSON]) async throws -> [String] {
                let list: JSON = ["value": .array(files), "type": "ASSETID_LIST"]
                let photo = create("f1", type: "Photo", ["file": list])
                return try await world.call("public/records/modify", batch([photo]), as: alice).records
            }
            let many = Array(repeating: receipt, count: 1500)
            let forged = receipt.with(["receipt": .string((receipt["receipt"].text ?? "") + "A")])
            #expect(
                try await save(many + [forged]) == ["BAD_REQUEST: bad upload receipt (did_not_validate)"])
            #expect(try await save(many) == ["ok"])
            #expect(world.contentFiles.count == 1)
        }
    }

    @Test("An upload URL is valid for fifteen minutes and cannot be forged")
    func addresses() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "f1", as: alice)
            world.clock.advance(bySeconds: 899)
            #expect(try await world.send("POST", address, body: Array("x".utf8)).status == 200)
            world.clock.advance(bySeconds: 1)
            let late = try await world.send("POST", address, body: Array("x".utf8))
            #expect(late.failure == "403 ACCESS_DENIED: the URL is not valid or has expired")
            for ticket in ["x", "AAAA", String(repeating: "A", count: 5000)] {
                let forged = try await world.send("POST", "/assets/\(ticket)", body: Array("x".utf8))
                #expect(forged.failure == "403 ACCESS_DENIED: the URL is not valid or has expired")
                let read = try await world.send("GET", "/assets/\(ticket)")
                #expect(read.failure == "403 ACCESS_DENIED: the URL is not valid or has expired")
            }
            #expect(try await world.send("GET", address).status == 403)
        }
    }

    @Test("An incomplete file is refused and leaves nothing behind", arguments: Transport.allCases)
    func truncated(transport: Transport) async throws {
        try await withServer(transport) { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "f1", as: alice)
            let target = String(address.dropFirst(ServerWorld.publicURL.count))
            if transport == .socket {
                let raw = try RawHTTP(#require(world.server.url))
                let bytes = raw.head("POST", target, [:], length: 100) + Array("only this much".utf8)
                let answer = try await raw.exchange(bytes, breaksOff: true)
                #expect(!String(decoding: answer, as: UTF8.self).contains("200 OK"))
            } else {
                let loopback = try #require(world.server.transport as? LoopbackTransport)
                var head = HTTPRequest(method: .post, scheme: "http", authority: "loopback", path: target)
                head.headerFields[.contentLength] = "100"
                let body = RequestBody(buffer: ByteBuffer(string: "only this much"))
                let answer = try await loopback.responder.respond(
                    to: Request(head: head, body: body), context: ServerRequestContext()
                )
                #expect(answer.status.code == 400)
            }
            #expect(world.incomingFiles == [])
            #expect(world.contentFiles == [])
            #expect(try await world.send("POST", address, body: Array("whole".utf8)).status == 200)
        }
    }

    @Test("A file that is too large is refused and leaves nothing behind")
    func tooLarge() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "f1", as: alice)
            let reply = try await world.send("POST", address, body: Array(repeating: 7, count: 52_428_801))
            #expect(reply.failure == "400 BAD_REQUEST: the file is larger than an asset can be")
            #expect(world.incomingFiles == [])
        }
    }

    @Test("A file may be empty, and its content type may be anything")
    func odd() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let empty = try await world.upload([], record: "f1", as: alice)
            #expect(empty["size"] == 0)
            let saved = try await world.modify("public", [world.photo("f1", empty)], as: alice)
            let address = try #require(
                saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            #expect(try await world.send("GET", address).bytes == [])
            for type in ["image/jpeg", "application/x-www-form-urlencoded", "text/plain"] {
                let place = try await world.uploadAddress(record: "f2", as: alice)
                let reply = try await world.send(
                    "POST", place, headers: ["Content-Type": type], body: [1, 2])
                #expect(reply.json["singleFile"]["size"] == 2, "\(type)")
            }
        }
    }
}
