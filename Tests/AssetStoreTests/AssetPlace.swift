import AssetStore
import AssetStoreS3
import Foundation
import NIOCore
import Synchronization

@testable import TestKit

/// Where the store under test keeps its files.
enum AssetPlace: Sendable {
    case folder(URL)
    case bucket(any ObjectBucket, name: String)

    func storage(isDurable: Bool, node: String) -> any AssetStorage {
        switch self {
        case .folder(let folder): return DiskStorage(folder: folder.path, isDurable: isDurable)
        case .bucket(let bucket, let name):
            let numbers = Mutex(0)
            // The numbers of two processes differ.
            let process = UUID().uuidString.filter { $0 != "-" }
            return BucketStorage(
                bucket, name: name, node: node,
                makeNumber: {
                    numbers.withLock { number in
                        number += 1
                        return "\(process)\(number)"
                    }
                },
                now: { (bucket as? MemoryBucket)?.now ?? Date() }, pause: { _ in await Task.yield() })
        }
    }

    /// The names of all files below a folder of the store, in order.
    func files(in name: String) async throws -> [String] {
        switch self {
        case .folder(let folder):
            let top = folder.appendingPathComponent(name).path
            let paths = FileManager.default.enumerator(atPath: top)
            return (paths?.allObjects ?? []).compactMap { $0 as? String }.filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(top)/\(path)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }.sorted()
        case .bucket(let bucket, let database):
            let prefix = "\(database)/\(name)/"
            var names: [String] = []
            var position: String?
            repeat {
                let page = try await bucket.list(prefix, after: position)
                names += page.objects.map { String($0.key.dropFirst(prefix.count)) }
                position = page.next
            } while position != nil
            return names.sorted()
        }
    }

    /// Writes a file directly, without the store.
    func write(_ text: String, to path: String) async throws {
        switch self {
        case .folder(let folder): try Data(text.utf8).write(to: folder.appendingPathComponent(path))
        case .bucket(let bucket, let database):
            try await bucket.put(ByteBuffer(string: text), as: "\(database)/\(path)")
        }
    }
}

/// The object store that `Tests/objectstorage` starts.
enum ObjectStoreForTests {
    /// nil without one.
    static func engine() throws -> BucketEngine? {
        let variables = ProcessInfo.processInfo.environment
        guard let address = variables["CLOUDLET_OBJECT_STORE"], let keyID = variables["AWS_ACCESS_KEY_ID"],
            let secret = variables["AWS_SECRET_ACCESS_KEY"]
        else { return nil }
        return BucketEngine(
            try BucketAddress(address), BucketCredentials(keyID: keyID, secret: secret),
            makeNumber: { UUID().uuidString.filter { $0 != "-" } }, now: { Date() }, pause: { _ in })
    }
}
