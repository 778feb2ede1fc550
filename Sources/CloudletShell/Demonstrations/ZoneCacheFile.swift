import Cloudlet
import Foundation

/// A zone's cache on disk. Records and token are always written together.
struct ZoneCacheFile: Sendable {
    private struct Contents: Codable {
        var records: [String]
        var token: Data?
    }

    let url: URL

    /// Reads the file. Returns an empty cache if the file does not exist or cannot be read; throws if its
    /// contents are damaged.
    func read() throws -> ZoneCache {
        guard let data = try? Data(contentsOf: url) else { return ZoneCache() }
        let contents = try JSONDecoder().decode(Contents.self, from: data)
        let token = try contents.token.flatMap { data in
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
        }
        return ZoneCache(recordNames: Set(contents.records), token: token)
    }

    /// Writes the file atomically: a process that is killed meanwhile leaves either the old or the new file.
    func write(_ cache: ZoneCache) throws {
        let token = try cache.token.map { token in
            try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        }
        let contents = Contents(records: cache.recordNames.sorted(), token: token)
        try JSONEncoder().encode(contents).write(to: url, options: .atomic)
    }
}
