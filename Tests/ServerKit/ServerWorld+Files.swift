import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import TestKit

extension ServerWorld {
    /// The URL to which the file of a field is uploaded.
    func uploadAddress(
        record: String, type: String = "Photo", field: String = "file", database: String = "public",
        as person: Person
    ) async throws -> String {
        let token: JSON = [
            "recordName": .string(record), "recordType": .string(type), "fieldName": .string(field),
        ]
        let reply = try await call("\(database)/assets/upload", ["tokens": [token]], as: person)
        #expect(reply.json["tokens"][0]["recordName"] == .string(record))
        #expect(reply.json["tokens"][0]["fieldName"] == .string(field))
        return try #require(reply.json["tokens"][0]["url"].text)
    }

    /// Uploads a file. Returns the asset with its receipt, for the field.
    func upload(
        _ bytes: [UInt8], record: String, database: String = "public", as person: Person
    ) async throws -> JSON {
        let address = try await uploadAddress(record: record, database: database, as: person)
        let reply = try await send("POST", address, body: bytes)
        #expect(reply.status == 200)
        return reply.json["singleFile"]
    }

    /// The creation of a record with a file.
    func photo(_ name: String, _ receipt: JSON, _ more: JSON = [:]) -> JSON {
        create(name, type: "Photo", more.with(["file": ["value": receipt, "type": "ASSETID"]]))
    }

    /// The files that records refer to, as paths below the data folder.
    var contentFiles: [String] { files { $0.contains("/content/") } }

    /// The files that are being uploaded, and uploaded files that no record refers to yet.
    var incomingFiles: [String] { files { $0.contains("/incoming/") } }

    func files(_ isWanted: (String) -> Bool) -> [String] {
        let folder = server.dataFolder
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            var isFolder: ObjCBool = false
            let full = folder.appendingPathComponent(path).path
            return isWanted("/" + path)
                && FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        .sorted()
    }
}
