import Crypto
import Foundation
import Records
import Synchronization

/// The files of a replica's assets, stored next to its database.
///
/// `keep` writes a file, and the next transaction flushes it before it commits. So one transaction flushes
/// several files.
final class ReplicaFiles: Sendable {
    private let folder: URL
    /// The file system calls; nil for an in-memory replica, which flushes nothing.
    private let steps: DiskSteps?
    /// The files written since the last flush.
    private let unflushed = Mutex<Set<URL>>([])

    init(_ folder: URL, steps: DiskSteps?) {
        self.folder = folder
        self.steps = steps
    }

    /// Copies a file into the folder, unless a file with the same content exists.
    func keep(_ url: URL) throws -> Asset {
        let content = try Data(contentsOf: url, options: .mappedIfSafe)
        let checksum = Asset.fileChecksum(ofSHA256: SHA256.hash(data: content))
        let asset = Asset(fileChecksum: checksum, size: Int64(content.count))
        let place = self.url(of: asset)
        if self.place(of: asset) == nil {
            try DiskSteps.makeFolder(folder)
            try content.write(to: place, options: .atomic)
        }
        // An existing file may be unflushed if the process that wrote it crashed.
        if steps != nil { unflushed.withLock { _ = $0.insert(place) } }
        return asset
    }

    /// Flushes the files written since the last flush, then the folder. If this fails, the next transaction
    /// tries again.
    func flush() throws {
        guard let steps else { return }
        let kept = unflushed.withLock { $0 }
        if kept.isEmpty { return }
        // A removed file has no owner and needs no flush.
        for file in kept where FileManager.default.fileExists(atPath: file.path) { try steps.flush(file) }
        try steps.flush(folder)
        unflushed.withLock { $0.subtract(kept) }
    }

    /// The URL of a file; nil if it is missing or its size is wrong.
    func place(of asset: Asset) -> URL? {
        let place = url(of: asset)
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        let size = attributes?[.size] as? NSNumber
        return size?.int64Value == asset.size ? place : nil
    }

    /// Removes all files except those with these checksums.
    func remove(except checksums: Set<String>) {
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in Set(there).subtracting(checksums.map(Self.fileName)) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private func url(of asset: Asset) -> URL {
        folder.appendingPathComponent(Self.fileName(asset.fileChecksum))
    }

    private static func fileName(_ checksum: String) -> String {
        checksum.replacing("/", with: "_").replacing("+", with: "-").replacing("=", with: "")
    }
}

/// The file system calls of a replica. Tests replace them to observe them or to make them fail.
struct DiskSteps: Sendable {
    /// Flushes the content of a file, or the names in a folder, to disk.
    var flush: @Sendable (URL) throws -> Void = { try Self.flushNow($0) }

    private static func flushNow(_ place: URL) throws {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Creates a folder and its missing parents, and flushes their names to disk.
    static func makeFolder(_ folder: URL) throws {
        var missing: [URL] = []
        var place = folder.standardizedFileURL
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
            missing.append(place.deletingLastPathComponent())
            place.deleteLastPathComponent()
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for parent in missing.reversed() { try flushNow(parent) }
    }
}
