import CloudletServer
import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Published limits")
struct PublishedLimitsTests {
    private static let folder = URL.package.appending(path: "Data/Limits")

    @Test(
        "The published limits equal the golden file, byte for byte",
        arguments: [("open", Limits()), ("hosted", Limits.hosted)])
    func golden(name: String, limits: Limits) async throws {
        let golden = try String(contentsOf: Self.folder.appending(path: name + ".json"), encoding: .utf8)
        try await withServer(.loopback, { $0.limits = limits }) { world in
            let answer = try await world.send("GET", "/limits")
            #expect(String(decoding: answer.bytes, as: UTF8.self) + "\n" == golden)
        }
    }
}
