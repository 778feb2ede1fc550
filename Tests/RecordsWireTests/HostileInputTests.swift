import Foundation
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Hostile input is refused, never a crash")
struct HostileInputTests {
    /// Decodes bytes as every type. Errors are allowed, crashes are not.
    private func readInEveryWay(_ bytes: [UInt8]) {
        func attempt<Value>(_ body: () throws -> Value) { _ = try? body() }
        attempt { try RecordsQueryRequest(bytes: bytes).encoded() }
        attempt { try RecordsLookupRequest(bytes: bytes).encoded() }
        attempt { try RecordsModifyRequest(bytes: bytes).encoded() }
        attempt { try RecordsChangesRequest(bytes: bytes).encoded() }
        attempt { try RecordsResolveRequest(bytes: bytes).encoded() }
        attempt { try ChangesZoneRequest(bytes: bytes).encoded() }
        attempt { try ChangesDatabaseRequest(bytes: bytes).encoded() }
        attempt { try ZonesChangesRequest(bytes: bytes).encoded() }
        attempt { try ZonesLookupRequest(bytes: bytes).encoded() }
        attempt { try ZonesModifyRequest(bytes: bytes).encoded() }
        attempt { try AssetsUploadRequest(bytes: bytes).encoded() }
        attempt { try AssetsRereferenceRequest(bytes: bytes).encoded() }
        attempt { try RecordsAnswer(bytes: bytes) }
        attempt { try ResolvedShare.entries(bytes: bytes) }
        attempt { try ChangesZoneAnswer(bytes: bytes) }
        attempt { try ChangesDatabaseAnswer(bytes: bytes) }
        attempt { try ZonesAnswer(bytes: bytes) }
        attempt { try AssetsUploadAnswer(bytes: bytes) }
        attempt { try AssetsRereferenceAnswer(bytes: bytes) }
        attempt { try SingleFileAnswer(bytes: bytes) }
        attempt { try UserIdentity(bytes: bytes) }
        attempt { RecordError(status: 400, body: bytes) }
        attempt { try FieldJSON().decode(FieldBytes(bytes: bytes)) }
        attempt { try FieldJSON().project(FieldBytes(bytes: bytes), keeping: DesiredKeys(["name"])) }
        attempt { try RequestPath(path: String(decoding: bytes, as: UTF8.self)).text }
        attempt { RequestParameters(query: String(decoding: bytes, as: UTF8.self)).text }
    }

    @Test("The time for an answer with many unreadable items is linear", .timeLimit(.minutes(10)))
    func unreadableItems() throws {
        let items = Array(repeating: "{}", count: 60_000).joined(separator: ",")
        #expect(try RecordsAnswer(bytes: Array(#"{"records":[\#(items)]}"#.utf8)).records.count == 60_000)
        #expect(try ZonesAnswer(bytes: Array(#"{"zones":[\#(items)]}"#.utf8)).zones.count == 60_000)
    }

    private static let words = [
        "null", "{}", "[]", "-1", "1e999", "\"\"", "true", "\\u0000", "{\"value\":[]}", ",",
    ]
    private static let values = [
        "null", "{}", "[]", "7", "-0.5", "\"x\"", "true", "99999999999999999999", "{\"recordName\":1}",
    ]

    /// The number of attempts over all seeds. An environment variable can raise it.
    private static let mutations =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_MUTATIONS"] ?? "") ?? 20_000

    @Test("20,000 damaged exchanges cause no crash", arguments: [41, 42, 43, 44] as [UInt64])
    func mutations(seed: UInt64) throws {
        let exchanges = try GoldenExchange.all()
        let bodies = exchanges.flatMap { [$0.requestBody, $0.responseBody] }.filter { !$0.isEmpty }
        var random = SeededNumbers(seed: seed)
        for _ in 0..<Self.mutations / 4 {
            var bytes = bodies.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                random.damage(&bytes, words: Self.words, values: Self.values)
            }
            readInEveryWay(bytes)
        }
    }

    @Test("Exchanges that are cut off anywhere cause no crash")
    func truncations() throws {
        for exchange in try GoldenExchange.all() {
            for body in [exchange.requestBody, exchange.responseBody] {
                for count in stride(from: 0, to: body.count, by: 7) {
                    readInEveryWay(Array(body.prefix(count)))
                }
            }
        }
    }

    @Test(
        "The time to read many fields in the worst order is not quadratic",
        .timeLimit(.minutes(10)))
    func manyFields() throws {
        for value in ["0", "null", "{\"value\":0}"] {
            let names = (0..<50_000).map { "\"f\(999_999 - $0)\":\(value)" }
            let twice = (names + names).joined(separator: ",")
            let body = "{\"operations\":[{\"operationType\":\"create\",\"record\":{\"fields\":{\(twice)}}}]}"
            let operation = try RecordsModifyRequest(bytes: Array(body.utf8)).batch.operations[0]
            #expect(operation.fields.count + operation.removedFields.count == 50_000)
        }
    }

    @Test("Repeated bytes and repeated tokens cause no crash")
    func monotony() {
        for byte in UInt8.min...UInt8.max { readInEveryWay([UInt8](repeating: byte, count: 100)) }
        for token in ["[", "{\"", "{\"a\":", "[\"\\u", "-", "1e", "null,", "\\ud83e"] {
            readInEveryWay(Array(String(repeating: token, count: 1000).utf8))
        }
    }
}
