import Foundation

/// Finds and reads the file of a model's current version.
struct ModelFolder {
    let limits: ModelFile.Limits

    private struct CurrentVersion: Decodable {
        let name: String?

        private enum CodingKeys: String, CodingKey {
            case name = "_XCCurrentVersionName"
        }
    }

    /// The folder of the version that is read: `X.xcdatamodel`.
    func version(of url: URL) throws -> URL {
        switch url.pathExtension {
        case "xcdatamodel": return url
        case "xcdatamodeld": break
        case "mom", "momd", "omo":
            throw refusal(url, "it is compiled", next: "name its source: X.xcdatamodeld")
        default:
            throw refusal(url, "it is no data model", next: "name X.xcdatamodeld or X.xcdatamodel")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw refusal(url, "the folder cannot be read", next: "check its path and permissions")
        }
        if let current = try current(of: url) {
            if names.contains(current), current.hasSuffix(".xcdatamodel") {
                return url.appendingPathComponent(current)
            }
            throw refusal(
                url, "its .xccurrentversion names \(current), which is no version in the folder",
                next: "choose the current version again in Xcode")
        }
        let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
        if versions.count == 1 { return url.appendingPathComponent(versions[0]) }
        throw refusal(
            url, "it has \(versions.count) versions and no .xccurrentversion that names one of them",
            next: versions.isEmpty
                ? "check the path" : "name one of them: \(versions.joined(separator: ", "))")
    }

    private func current(of url: URL) throws -> String? {
        let file = url.appendingPathComponent(".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data = try read(file)
        do {
            return try PropertyListDecoder().decode(CurrentVersion.self, from: data).name
        } catch {
            throw refusal(file, "it is no property list", next: "choose the current version again in Xcode")
        }
    }

    /// The XML of a version.
    func contents(of version: URL) throws -> Data {
        let file = version.appendingPathComponent("contents")
        if FileManager.default.fileExists(atPath: file.path) { return try read(file) }
        throw refusal(
            version, "it has no file named contents",
            next: "check the path; a model of Xcode 3 must be saved by a newer Xcode first")
    }

    private func read(_ file: URL) throws -> Data {
        let path = file.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // Reading a pipe or a device could wait or run without end.
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else {
            throw refusal(file, "it cannot be read as a file", next: "check its path and permissions")
        }
        defer { try? handle.close() }
        let data = (try? handle.read(upToCount: limits.bytes + 1)) ?? Data()
        if data.count <= limits.bytes { return data }
        throw refusal(
            file, "it has more than \(limits.bytes) bytes", next: "check whether the file is a data model")
    }

    private func refusal(_ file: URL, _ reason: String, next: String) -> MirroredStoreError {
        .model(file.path, reason, next: next)
    }
}
