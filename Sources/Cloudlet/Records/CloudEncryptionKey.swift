import Crypto
public import Foundation

/// The key that encrypts `CKRecord.encryptedValues`. The server stores these values in encrypted form only
/// and does not have the key.
///
/// Each zone of the private database has a key of its own, derived from this one. Saving a `CKShare` puts the
/// key of its zone into the share, so that participants can read the values of the records that are shared
/// with them. From then on the server has the key of this zone, but of no other.
///
/// On Apple platforms the keychain synchronizes the key between a person's devices. Here it is a file, or
/// bytes that the app stores: give all devices of a person the same key. A device with another key can read
/// the other fields of a record, and leaves the encrypted values unchanged.
public struct CloudEncryptionKey: Sendable {
    private let vault: KeyVault

    /// Creates a key from secret bytes; use 32 random bytes.
    public init(_ secret: Data) {
        vault = KeyVault(.bytes(secret))
    }

    /// The key in this file. If the file does not exist, it is created with a new key when the key is first
    /// used.
    public init(file: URL) {
        vault = KeyVault(.file(file))
    }

    /// The key of the user who runs this process: the file `cloudlet/encryption.key` in the folder
    /// `$XDG_CONFIG_HOME`, by default `~/.config`.
    public static let device = CloudEncryptionKey(file: configurationFolder)

    private static var configurationFolder: URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }
        let folder =
            chosen ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config")
        return folder.appendingPathComponent("cloudlet/encryption.key")
    }

    /// The derived key for the values of one container, or of one zone of the container.
    func key(for container: String, zone: String? = nil) throws -> SymmetricKey {
        try vault.key(for: zone.map { "\(container), zone \($0)" } ?? container)
    }

    /// A code of 32 bytes that only devices with this key can compute. It reveals nothing about the data,
    /// except that equal data have equal codes.
    package func code(of data: Data, in container: String) throws -> Data {
        let key = try vault.key(for: "\(container), codes")
        return Data(HMAC<SHA256>.authenticationCode(for: data, using: key))
    }
}

/// Reads the secret once per purpose and caches the derived keys.
private final class KeyVault: Sendable {
    enum Source {
        case bytes(Data)
        case file(URL)
    }

    private let source: Source
    private let keys = Locked<[String: SymmetricKey]>([:])

    init(_ source: Source) {
        self.source = source
    }

    func key(for purpose: String) throws -> SymmetricKey {
        try keys.withLock { keys in
            if let key = keys[purpose] { return key }
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: try secret()),
                info: Data("cloudlet encrypted values of \(purpose)".utf8), outputByteCount: 32)
            keys[purpose] = key
            return key
        }
    }

    private func secret() throws -> Data {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let file):
            if let secret = try? Data(contentsOf: file), secret.count >= 32 { return secret }
            // The key is the only value in this module that must not come from a seed.
            store(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }, in: file)
            // Read the file again: another process may have created it first.
            guard let secret = try? Data(contentsOf: file), secret.count >= 32 else {
                throw CKError.make(
                    .accountTemporarilyUnavailable,
                    "The key of encrypted values can be neither read nor created [\(file.path)] - check the"
                        + " permissions of the file, or set CloudConnection.encryptionKey")
            }
            return secret
        }
    }

    /// Writes the key to a file atomically and readable by its owner only. An existing file is left
    /// unchanged.
    private func store(_ secret: Data, in file: URL) {
        let files = FileManager.default
        let folder = file.deletingLastPathComponent()
        try? files.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = folder.appendingPathComponent(
            ".\(file.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)")
        try? files.removeItem(at: draft)
        defer { try? files.removeItem(at: draft) }
        guard
            files.createFile(atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: draft.path)
        else { return }
        defer { try? handle.close() }
        guard (try? handle.write(contentsOf: secret)) != nil, (try? handle.synchronize()) != nil else {
            return
        }
        // Linking fails if the file exists. Then the key that another process created first is used.
        try? files.linkItem(at: draft, to: file)
    }
}
