import AssetStore
package import CloudService
import Foundation
import NIOPosix
import RecordStore
package import Records
import SQLiteSupport

extension DatabasePool {
    package func makeRoomForDeletion() { folder.giveUpReserve(folder.room) }

    /// Deletes the files of these databases. Throws `RecordError.fullDisk` if the disk has no room for the
    /// new directory entries that a deletion needs.
    func deleteFiles(of selection: DatabaseSelection) throws {
        do {
            try moveAndDeleteFiles(of: selection)
        } catch {
            if !(error is RecordError), folder.room?.state == .usedUp {
                throw RecordError.fullDisk
            }
            throw error
        }
        folder.keepReserve()
    }

    /// Moves each path of the selection into the folder `removed`, then deletes it there.
    ///
    /// All databases of a container, or of one of its environments, are one folder and move in one step. The
    /// parts of a single person's database move one after another: if the process ends in between, the
    /// database remains without its asset files or its log, and must be removed again.
    private func moveAndDeleteFiles(of selection: DatabaseSelection) throws {
        let bin = folder.url.appendingPathComponent(DataFolder.removedName)
        for path in paths(of: selection) where FileManager.default.fileExists(atPath: path.path) {
            // The path itself may be a link, which is moved. A link above it leads to files outside of the
            // data folder, which must not be moved.
            try checkLinks(onTheWayTo: path.deletingLastPathComponent())
            try DataFolder.beginLaterEpoch(in: folder.url)
            try DurableFiles.makeFolder(bin, isFlushed: false)
            let aside = bin.appendingPathComponent(runtime.randomHex(bytes: 16))
            try FileManager.default.moveItem(at: path, to: aside)
            try FileManager.default.removeItem(at: aside)
        }
    }

    func paths(of selection: DatabaseSelection) -> [URL] {
        let environments = selection.environment.map { [$0] } ?? CloudEnvironment.allCases
        guard let owner = selection.owner else {
            let places = environments.map {
                folder.place(container: selection.container, environment: $0.rawValue)
            }
            if selection.environment == nil {
                return places.first.map { [$0.deletingLastPathComponent()] } ?? []
            }
            return places
        }
        return environments.flatMap { environment in
            let key = DatabaseKey(container: selection.container, environment: environment, owner: owner)
            let database = folder.url.appendingPathComponent(DataFolder.path(of: key))
            // The database file is moved last, because the database exists as long as this file does.
            return ["-assets", ".sqlite-wal", ".sqlite-shm", ".sqlite"].map {
                URL(fileURLWithPath: database.path + $0)
            }
        }
    }

    package func exists(_ key: DatabaseKey) -> Bool {
        engine?.exists(key.text) ?? FileManager.default.fileExists(atPath: file(of: key).path)
    }

    package func existing(_ selection: DatabaseSelection) throws -> [DatabaseKey] {
        if let engine {
            let keys = engine.names(beginningWith: selection.container + "/")
                .compactMap(DatabaseKey.init(text:)).filter(selection.contains)
            return keys.filter { $0.owner == nil } + keys.filter { $0.owner != nil }
        }
        let environments = selection.environment.map { [$0] } ?? CloudEnvironment.allCases
        return environments.flatMap { environment in
            let shared = DatabaseKey(container: selection.container, environment: environment, owner: nil)
            let people = file(of: shared).deletingLastPathComponent().appendingPathComponent("private")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: people.path)) ?? []
            let owners = names.sorted().compactMap { DataFolder.name(ofDatabase: $0) }
            return [shared]
                + owners.map { owner in
                    DatabaseKey(container: selection.container, environment: environment, owner: owner)
                }
        }
        .filter { selection.contains($0) && exists($0) }
    }

    package func largest(_ count: Int, of containers: [String]) async throws -> [DatabaseKey] {
        if engine != nil { return try await largestOfEngine(count, of: containers) }
        return try await NIOThreadPool.singleton.runIfActive {
            var found: [(key: DatabaseKey, bytes: Int64)] = []
            for container in containers {
                for key in try self.existing(DatabaseSelection(container: container)) where key.owner != nil {
                    found.append((key, self.bytesOnDisk(of: key)))
                    // Keeps the list short, however many databases there are.
                    if found.count >= 2 * count + 1000 { found = Self.largest(count, of: found) }
                }
            }
            return Self.largest(count, of: found).map(\.key)
        }
    }

    static func largest(
        _ count: Int, of found: [(key: DatabaseKey, bytes: Int64)]
    ) -> [(key: DatabaseKey, bytes: Int64)] {
        Array(found.sorted { ($0.bytes, $1.key.text) > ($1.bytes, $0.key.text) }.prefix(count))
    }

    func bytesOnDisk(of key: DatabaseKey) -> Int64 {
        let database = file(of: key)
        let sizes: Set<URLResourceKey> = [.fileSizeKey]
        let files = FileManager.default.enumerator(
            at: assetFolder(of: key), includingPropertiesForKeys: Array(sizes))
        let assets = (files?.compactMap { $0 as? URL } ?? [])
        return ([database, URL(fileURLWithPath: database.path + "-wal")] + assets).reduce(0) { sum, file in
            sum.addingSaturated(Int64((try? file.resourceValues(forKeys: sizes))?.fileSize ?? 0))
        }
    }

    package func usage(of container: String, in environment: CloudEnvironment) async throws -> DatabaseUsage {
        let files = try await NIOThreadPool.singleton.runIfActive {
            self.countFiles(of: container, in: environment)
        }
        let usage = try await addingEngine(of: container, in: environment, to: files)
        return try await addingAssetEngine(of: container, in: environment, to: usage)
    }

    private func countFiles(of container: String, in environment: CloudEnvironment) -> DatabaseUsage {
        let place = folder.place(container: container, environment: environment.rawValue)
        var usage = DatabaseUsage()
        let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
        let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: keys)
        while let file = files?.nextObject() as? URL {
            let values = try? file.resourceValues(forKeys: Set(keys))
            guard values?.isRegularFile == true else { continue }
            usage.bytes += Int64(values?.fileSize ?? 0)
            if file.path.contains("-assets/content/") { usage.assetFiles += 1 }
            let isPrivate = file.deletingLastPathComponent().lastPathComponent == "private"
            if isPrivate, file.pathExtension == "sqlite" { usage.privateDatabases += 1 }
        }
        return usage
    }
}
