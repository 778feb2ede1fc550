import Crypto
import Foundation
import Records
import Synchronization

/// The files beside the database of a replica.
///
/// A file is written when it is kept, and flushed with the next transaction, before that is committed: files
/// that are kept one after the other are flushed together.
final class ReplicaFiles: Sendable {
    private let folder: URL
    /// How files get to the disk; nil for a replica that is gone with its process, which flushes nothing.
    private let steps: DiskSteps?
    /// What was kept since the last transaction.
    private let unflushed = Mutex<Set<URL>>([])

    init(_ folder: URL, steps: DiskSteps?) {
        self.folder = folder
        self.steps = steps
    }

    /// Copies a file, unless it is there already.
    func keep(_ url: URL) throws -> Asset {
        let content = try Data(contentsOf: url, options: .mappedIfSafe)
        let checksum = Asset.fileChecksum(ofSHA256: SHA256.hash(data: content))
        let asset = Asset(fileChecksum: checksum, size: Int64(content.count))
        let place = self.url(of: asset)
        if self.place(of: asset) == nil {
            try DiskSteps.makeFolder(folder)
            try content.write(to: place, options: .atomic)
        }
        // Also one that was there: whoever wrote it may have ended before it was flushed.
        if steps != nil { unflushed.withLock { _ = $0.insert(place) } }
        return asset
    }

    /// Flushes what was kept since the last time: each file, then the folder that names them. What could not
    /// be flushed is tried again with the next transaction.
    func flush() throws {
        guard let steps else { return }
        let kept = unflushed.withLock { $0 }
        if kept.isEmpty { return }
        // A file that was removed meanwhile belongs to no record.
        for file in kept where FileManager.default.fileExists(atPath: file.path) { try steps.flush(file) }
        try steps.flush(folder)
        unflushed.withLock { $0.subtract(kept) }
    }

    /// Where a file lies, if it is whole.
    func place(of asset: Asset) -> URL? {
        let place = url(of: asset)
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        let size = attributes?[.size] as? NSNumber
        return size?.int64Value == asset.size ? place : nil
    }

    /// Removes all files but those of these contents.
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

/// How files get to the disk; a test watches, or lets a step fail.
struct DiskSteps: Sendable {
    /// Returns when the content of a file, or the names in a folder, are on the disk.
    var flush: @Sendable (URL) throws -> Void = { try Self.flushNow($0) }

    private static func flushNow(_ place: URL) throws {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Makes a folder and the missing ones above it; their names are on the disk when it returns.
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
