import Foundation
import Testing

@Suite("The sample app's seed data")
struct SeedDataTests {
    struct Party: Decodable {
        struct Clown: Decodable {
            var recordName, name, act: String
        }
        var recordName, name, summary, place: String
        var latitude, longitude: Double
        var startsInMinutes, lastsMinutes: Int
        var clowns: [Clown]
    }

    static let folder = House.root.appendingPathComponent("Data/Seeds")

    static func parties() throws -> [Party] {
        let text = try Data(contentsOf: folder.appendingPathComponent("parties.jsonl"))
        return try text.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Party.self, from: $0)
        }
    }

    @Test("There are enough parties, all complete, with unique keys and names")
    func parties() throws {
        let parties = try Self.parties()
        #expect(parties.count == 520)
        #expect(Set(parties.map(\.recordName)).count == parties.count)
        #expect(Set(parties.map(\.name)).count == parties.count)
        #expect(parties.allSatisfy { !$0.summary.isEmpty && !$0.place.isEmpty && $0.lastsMinutes > 0 })
        #expect(parties.allSatisfy { abs($0.latitude) < 90 && abs($0.longitude) < 180 })
        #expect(parties.contains { $0.startsInMinutes < 0 } && parties.contains { $0.startsInMinutes > 0 })
    }

    @Test("Every party has one to four clowns, some with names that are hard to align in a terminal")
    func clowns() throws {
        let parties = try Self.parties()
        let clowns = parties.flatMap(\.clowns)
        #expect(parties.allSatisfy { (1...4).contains($0.clowns.count) })
        #expect(Set(clowns.map(\.recordName)).count == clowns.count)
        #expect(clowns.allSatisfy { !$0.act.isEmpty })
        #expect(clowns.contains { $0.name.contains("🤡") } && clowns.contains { $0.name.contains("é") })
    }

    @Test("Several hundred parties are in one city, at distinct distances")
    func distances() throws {
        let kilometres = try Self.parties().map { party in
            let north = (party.latitude - 37.7842) * 111.2
            let east = (party.longitude + 122.4016) * 111.2 * cos(37.7842 * .pi / 180)
            return (north * north + east * east).squareRoot()
        }
        func count(within distance: Double) -> Int { kilometres.count { $0 < distance } }
        #expect(count(within: 1) >= 10)
        #expect(count(within: 5) >= 200 && count(within: 10) > count(within: 5))
        #expect(count(within: 100) < kilometres.count - 100)
    }

    @Test("There are a dozen photos of 1 to 6 megapixels, JPEG and PNG, two of them rotated by EXIF")
    func photos() throws {
        let folder = Self.folder.appendingPathComponent("photos")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            !$0.hasSuffix(".py")
        }
        let headers = try names.sorted().map { name in
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            return try #require(ImageHeader(Array(data)), "\(name) is neither JPEG nor PNG")
        }
        #expect(headers.count == 12)
        #expect(Set(headers.map(\.format)) == [.jpeg, .png])
        #expect(headers.allSatisfy { (1_000_000...6_000_000).contains($0.width * $0.height) })
        #expect(headers.map(\.orientation).filter { $0 != 1 }.sorted() == [6, 8])
    }
}
