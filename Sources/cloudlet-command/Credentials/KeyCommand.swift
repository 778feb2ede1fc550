import ArgumentParser
import Crypto
import Foundation
import Records
import RecordsWire

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Create, register, list and revoke server-to-server keys.",
        usage: """
            cloudlet key create iCloud.org.example.app --out eckey.pem
            cloudlet key register iCloud.org.example.app --public-key eckey-public.pem
            cloudlet key list iCloud.org.example.app
            cloudlet key revoke 0123…
            """,
        discussion: """
            With such a key, another server reads and writes the public database of a container, for \
            example to import data. The private key stays with that server; Cloudlet stores only the \
            public key.
            """,
        subcommands: [KeyCreate.self, KeyRegister.self, KeyList.self, KeyRevoke.self]
    )
}

struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key pair and register its public key.",
        discussion: "Writes the private key to a new file that only you can read, and prints the key's id."
    )

    @Argument(help: "The container that the key is for.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption

    @Option(
        help: "The new file for the private key, in PEM; it must not exist yet.",
        completion: .file())
    var out: String

    @Option(help: "A name for the key in lists.")
    var label = ""

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let key = P256.Signing.PrivateKey()
        let file = try SecretFile(creating: out)
        do {
            try file.write(key.pemRepresentation + "\n")
            try await KeyRegister.register(
                key.publicKey.pemRepresentation, container, place, label, options,
                note: "the private key is in \(out)"
            )
        } catch {
            file.remove()
            throw error
        }
    }
}

struct KeyRegister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register an existing public key.",
        discussion: """
            Create a key pair with: openssl ecparam -name prime256v1 -genkey -noout -out eckey.pem; \
            its public key with: openssl ec -in eckey.pem -pubout. Prints the key's id.
            """
    )

    @Argument(help: "The container that the key is for.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption

    @Option(
        help: "The file with the public key, in PEM; - reads it from standard input.",
        completion: .file())
    var publicKey: String

    @Option(help: "A name for the key in lists.")
    var label = ""

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let text = try InputFile.text(of: publicKey)
        try await Self.register(text, container, place, label, options, note: nil)
    }

    static func register(
        _ publicKey: String, _ container: String, _ place: EnvironmentOption, _ label: String,
        _ options: OperatorOptions, note: String?
    ) async throws {
        let call = RegisterKey(for: container, try place.environment, label: label, publicKey: publicKey)
        try await options.call(call) { key in
            let purpose = "key for \(container) in \(try place.environment.rawValue)"
            return Listing(
                lines: [key.id],
                notes: [note.map { "\(purpose); \($0)" } ?? purpose]
            )
        }
    }
}

struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the server-to-server keys of a container."
    )

    @Argument(help: "The container.", completion: .containers)
    var container: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ListKeys(of: container)) { keys in
            .table(
                ["ID", "ENVIRONMENT", "LABEL", "ACTS AS", "CREATED", "REVOKED"],
                keys.elements.map {
                    [
                        $0.id, $0.environment.rawValue, ($0.label as String?).cell, $0.userRecordName,
                        $0.created.moment.cell, ($0.revoked?.moment).cell,
                    ]
                },
                whenEmpty: "no keys yet; create one: cloudlet key create \(container) --out eckey.pem"
            )
        }
    }
}

struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a server-to-server key, immediately and permanently."
    )

    @Argument(help: "The key's id, as the list shows it.")
    var id: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(RevokeKey(id: id)) { _ in Listing(notes: ["revoked key \(id)"]) }
    }
}
