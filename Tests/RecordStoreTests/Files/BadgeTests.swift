import Foundation
import RecordStoreSQLite
import Records
import Testing

@Suite("Badges in the directory")
struct BadgeTests {
    @Test("A number that is too large, or below 0, is brought back into its limits")
    func oldNumbers() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("directory.sqlite")
            let directory = try SQLiteDirectory(file: file, durability: .none)
            for (user, value) in [("_max", Int.max), ("_low", -5), ("_nine", 9), ("_min", .min)] {
                try await directory.setBadge(value, of: user, in: "c", .development)
            }
            let changes = ["_max": 1, "_low": 1, "_nine": -1, "_min": -1, "_new": 11, "_one": 1]
            let values = try await directory.changeBadges(changes, of: "c", in: .development, atMost: 10)
            #expect(values == ["_max": 10, "_low": 1, "_nine": 8, "_min": 0, "_new": 10, "_one": 1])
            try await directory.close()
        }
    }
}
