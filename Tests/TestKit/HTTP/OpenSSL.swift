import Foundation
import Subprocess
import Testing

/// A key pair that openssl created in its own folder. `remove` deletes the folder.
struct OpenSSL {
    let folder: URL
    /// The public key in PEM.
    let publicKey: String

    init() async throws {
        folder = try URL.newFolder()
        let key = folder.appendingPathComponent("key.pem").path
        let publicFile = folder.appendingPathComponent("public.pem").path
        try await Self.run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
        try await Self.run("ec", "-in", key, "-pubout", "-out", publicFile)
        publicKey = try String(contentsOfFile: publicFile, encoding: .utf8)
    }

    func remove() { folder.remove() }

    /// The signature of a text in DER.
    func sign(_ text: String) async throws -> [UInt8] {
        let name = UUID().uuidString
        let input = folder.appendingPathComponent(name)
        let output = folder.appendingPathComponent(name + ".sig")
        try Data(text.utf8).write(to: input)
        let key = folder.appendingPathComponent("key.pem").path
        try await Self.run("dgst", "-sha256", "-sign", key, "-out", output.path, input.path)
        return Array(try Data(contentsOf: output))
    }

    /// The SHA-256 of some bytes in base64, computed by openssl.
    func hash(_ bytes: [UInt8]) async throws -> String {
        let input = folder.appendingPathComponent(UUID().uuidString)
        let output = folder.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: input)
        try await Self.run("dgst", "-sha256", "-binary", "-out", output.path, input.path)
        return try Data(contentsOf: output).base64EncodedString()
    }

    static func run(_ arguments: String...) async throws {
        try await run(arguments)
    }

    static func run(_ arguments: [String]) async throws {
        let result = try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), output: .discarded,
            error: .string(limit: 65_536))
        let failed = "openssl \(arguments.joined(separator: " ")): \(result.standardError)"
        try #require(result.terminationStatus.isSuccess, "\(failed)")
    }
}
