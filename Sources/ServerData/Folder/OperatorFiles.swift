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

/// The files with the operator's key, which is permanent, and with the address of the running server.
package struct OperatorFiles: Sendable {
    let folder: URL

    var keyFile: URL { folder.appendingPathComponent("operator.key") }
    package var addressFile: URL { folder.appendingPathComponent("server.json") }

    /// The operator's key, created on first use. Its file is readable by its owner only.
    package func key() throws -> String {
        do {
            if try !OwnedFile.text(of: keyFile).isEmpty { return try readKey() }
        } catch OwnedFile.Failure.missing {
        } catch is OwnedFile.Failure {
            throw unusable("cannot be read, or is not this user's own file")
        }
        let key = RandomSource(seed: nil).bytes(32).hexadecimal
        // The file is newly created, so that nobody can have opened it while it was readable by others.
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

    /// Reads the key. Throws for a file that is a link or belongs to another user, because its key may be
    /// another server's.
    func readKey() throws -> String {
        let key = try OwnedFile.text(of: keyFile).trimmingCharacters(in: .whitespacesAndNewlines)
        guard key.utf8.count == 64, key.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw unusable("contains no operator's key")
        }
        return key
    }

    private func unusable(_ what: String) -> ServerError {
        ServerError(
            .folderUnusable, "the file \(keyFile.path) \(what)",
            nextStep: "check its owner and permissions, or delete it: the server then creates a new one"
        )
    }

    /// Writes the address on which the server listens.
    ///
    /// - Parameter certificate: The server's TLS certificate in DER; nil if it uses no TLS.
    package func announce(_ url: URL, certificate: [UInt8]?) throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("url", url.absoluteString)
        json.member("certificate", base64: certificate)
        json.member("pid", Int64(getpid()))
        json.endObject()
        try Data(json.bytes).write(to: addressFile, options: .atomic)
    }

    /// Removes the address.
    func withdraw() {
        try? FileManager.default.removeItem(at: addressFile)
    }

    /// The address in the file, and the certificate of a server that uses TLS; nil if there is none. A server
    /// that was killed leaves its address behind.
    var announced: (url: URL, certificate: [UInt8]?)? {
        guard let text = try? OwnedFile.text(of: addressFile, atMost: Self.addressBytes),
            let root = try? JSONDocument(Array(text.utf8)).root,
            let address = try? root.required("url").string(), let url = URL(string: address)
        else { return nil }
        return (url, root["certificate"]?.base64Value)
    }

    /// The largest size of the file with the address: more than any certificate needs.
    private static let addressBytes = 1 << 18
}

/// The data with which the operator's command line reaches the server of a data folder.
public struct OperatorAccess: Sendable {
    /// The address of the server; nil when none was announced. A server that was killed leaves its address
    /// behind.
    public let url: URL?
    /// The TLS certificate of that server in DER; nil if it uses no TLS.
    public let certificate: [UInt8]?
    /// The operator's key; nil when the folder has no readable one.
    public let key: String?

    /// Whether a server uses the folder now.
    public let isInUse: Bool

    /// Reads the files of a data folder and changes nothing. Files that are links or belong to another user
    /// are ignored.
    public init(dataFolder: URL) {
        let files = OperatorFiles(folder: dataFolder)
        isInUse = DataFolder.isInUse(dataFolder)
        let announced = files.announced
        url = announced?.url
        certificate = announced?.certificate
        key = try? files.readKey()
    }
}
