import Foundation
import Records

/// Uploads and saves records with one file each.
struct AssetJob {
    let server: CloudletSubject
    let count: Int
    let run: Int

    static let type = "File"
    static let field = "content"
    /// Large enough that `LoadRequest` does not copy it into the head of the request.
    static let saltLength = 64 * 1024

    private struct Tokens: Decodable {
        struct Token: Decodable {
            var url: String
        }

        var tokens: [Token]
    }

    private struct Receipt: Codable {
        struct File: Codable {
            var fileChecksum: String
            var size: Int
            var receipt: String?
            var downloadURL: String?
        }

        var singleFile: File
    }

    private struct Answer: Decodable {
        struct Record: Decodable {
            var fields: [String: Field]?
            var reason: String?
        }

        struct Field: Decodable {
            var value: Receipt.File
        }

        var records: [Record]
    }

    /// Bytes that make each file unique.
    static func salt(run: Int, number: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed &+ UInt64(run * 1000 + number))
        return (0..<saltLength).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Requests the upload paths of the files.
    func uploadURLs() throws -> [String] {
        let tokens = (0..<count).map { number in
            """
            {"recordName":"\(name(number))","recordType":"\(Self.type)","fieldName":"\(Self.field)"}
            """
        }
        let body = try server.call(
            .public, "assets/upload", json: "{\"tokens\":[\(tokens.joined(separator: ","))]}"
        )
        return try JSONDecoder().decode(Tokens.self, from: Data(body)).tokens.map { try path(of: $0.url) }
    }

    /// Saves the records and returns the download paths of their files.
    func save(receipts: [Data]) throws -> [String] {
        let operations = try receipts.enumerated().map { number, data in
            let file = try JSONDecoder().decode(Receipt.self, from: data).singleFile
            let json = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
            return """
                {"operationType":"forceReplace","record":{"recordName":"\(name(number))",\
                "recordType":"\(Self.type)","fields":{"\(Self.field)":{"value":\(json),"type":"ASSETID"}}}}
                """
        }
        let body = try server.call(
            .public, "records/modify", json: "{\"operations\":[\(operations.joined(separator: ","))]}"
        )
        try CloudletSubject.checkRecords(body)
        let records = try JSONDecoder().decode(Answer.self, from: Data(body)).records
        return try records.map { record in
            guard let url = record.fields?[Self.field]?.value.downloadURL else {
                throw BenchmarkError(
                    "no download URL in \(String(decoding: body.prefix(500), as: UTF8.self))")
            }
            return try path(of: url)
        }
    }

    private func name(_ number: Int) -> String {
        "file-\(run)-\(number)"
    }

    private func path(of url: String) throws -> String {
        guard let parts = URLComponents(string: url.replacingOccurrences(of: "${f}", with: "file")) else {
            throw BenchmarkError("\(url) is not a URL")
        }
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}
