import AssetStore
public import Foundation
import Records
import RecordsWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The key that opens the operator's calls, kept for good, and the address of the server, while there is one.
package struct OperatorFiles: Sendable {
    let folder: URL

    var keyFile: URL { folder.appendingPathComponent("operator.key") }
    var addressFile: URL { folder.appendingPathComponent("server.json") }

    /// The key of the folder, made on first use; the file is readable for its owner alone.
    package func key() throws -> String {
        do {
            if try !OwnFile.text(of: keyFile).isEmpty { return try readKey() }
        } catch OwnFile.Failure.missing {
        } catch is OwnFile.Failure {
            throw unusable("cannot be read, or is not this user's own file")
        }
        let key = RandomSource(seed: nil).bytes(32).hexadecimal
        // Made new, so that nobody else can have opened it before it was closed to others.
        unlink(keyFile.path)
        let descriptor = open(keyFile.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unusable("cannot be written") }
        defer { close(descriptor) }
        let bytes = Array((key + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw unusable("cannot be written")
        }
        do { try DurableFiles.flush(folder) } catch { throw unusable("cannot be written") }
        return key
    }

    /// The key as it stands in the file. Throws for a file that is a link or somebody else's, since what it
    /// holds may be meant for another server.
    func readKey() throws -> String {
        let key = try OwnFile.text(of: keyFile).trimmingCharacters(in: .whitespacesAndNewlines)
        guard key.utf8.count == 64, key.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw unusable("holds no operator's key")
        }
        return key
    }

    private func unusable(_ what: String) -> ServerError {
        ServerError(
            .folderUnusable, "the file \(keyFile.path) \(what)",
            nextStep: "check its owner and permissions; if nobody needs it, delete it: a server makes another"
        )
    }

    /// Says where the server listens.
    package func announce(_ url: URL) throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("url", url.absoluteString)
        json.member("pid", Int64(getpid()))
        json.endObject()
        try Data(json.bytes).write(to: addressFile, options: .atomic)
    }

    /// Takes the announcement back.
    func withdraw() {
        try? FileManager.default.removeItem(at: addressFile)
    }

    /// Where the server of the folder listens, or did before it was killed.
    var announced: URL? {
        guard let text = try? OwnFile.text(of: addressFile),
            let root = try? JSONDocument(Array(text.utf8)).root,
            let url = try? root.required("url").string()
        else { return nil }
        return URL(string: url)
    }
}

/// How the operator's command line gets to the server of a data folder, which may be a process of its own.
public struct OperatorAccess: Sendable {
    /// Where the server of the folder listens; nil when none was announced. A server that was killed leaves
    /// its address behind.
    public let url: URL?
    /// What opens the operator's calls; nil when the folder has none that can be read.
    public let key: String?

    /// Whether a server uses the folder at this moment.
    public let isInUse: Bool

    /// What stands in a data folder; changes nothing. Files that are links or somebody else's do not count.
    public init(dataFolder: URL) {
        let files = OperatorFiles(folder: dataFolder)
        isInUse = DataFolder.isInUse(dataFolder)
        url = files.announced
        key = try? files.readKey()
    }
}
