import Crypto
public import Foundation

/// The key that seals `CKRecord.encryptedValues`: the server, and whoever has its disk, sees
/// sealed values only.
///
/// On Apple platforms the keychain brings it to each of a person's devices. Here it is a file, or bytes that
/// an app keeps: give all devices of a person the same. Who has another reads the rest of a record, and
/// leaves what is sealed as it is.
public struct CloudEncryptionKey: Sendable {
    private let vault: KeyVault

    /// A key out of secret bytes, 32 random ones as a rule.
    public init(_ secret: Data) {
        vault = KeyVault(.bytes(secret))
    }

    /// The key in that file, which is made with a fresh key when it is first needed.
    public init(file: URL) {
        vault = KeyVault(.file(file))
    }

    /// The key of whoever runs this process, in `cloudlet/encryption.key` of their configuration folder.
    public static let device = CloudEncryptionKey(file: configurationFolder)

    private static var configurationFolder: URL {
        let chosen = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }
        let folder =
            chosen ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config")
        return folder.appendingPathComponent("cloudlet/encryption.key")
    }

    /// The key for the values of one container.
    func key(for container: String) throws -> SymmetricKey {
        try vault.key(for: container)
    }
}

/// Reads a key once, and keeps what was made of it.
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

    func key(for container: String) throws -> SymmetricKey {
        try keys.withLock { keys in
            if let key = keys[container] { return key }
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: try secret()),
                info: Data("cloudlet encrypted values of \(container)".utf8), outputByteCount: 32)
            keys[container] = key
            return key
        }
    }

    private func secret() throws -> Data {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let file):
            if let secret = try? Data(contentsOf: file), secret.count >= 32 { return secret }
            // The key is the one thing here that must not come out of a seed.
            keep(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }, in: file)
            // Read back: another process may have been first.
            guard let secret = try? Data(contentsOf: file), secret.count >= 32 else {
                throw CKError.make(
                    .accountTemporarilyUnavailable,
                    "The key of encrypted values can be neither read nor made [\(file.path)] - see that this"
                        + " app may, or set CloudConnection.encryptionKey")
            }
            return secret
        }
    }

    /// Puts a key into a file that is there whole or not at all, and that nobody else can read; one that is
    /// there already stays.
    private func keep(_ secret: Data, in file: URL) {
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
        // A link to a file that is there fails: whoever was first has made the key.
        try? files.linkItem(at: draft, to: file)
    }
}
