import AsyncHTTPClient
import CloudletServer
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("TLS", .timeLimit(.minutes(30)))
struct EncryptionTests {
    private static func fetch(_ url: String, _ client: HTTPClient) async throws -> (UInt, JSON) {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (response.status.code, try JSON(Array(body.readableBytesView)))
    }

    @Test("Only clients that trust the certificate can reach a server with TLS")
    func speaks() async throws {
        try await withCertificates { certificates in
            var configuration = ServerConfiguration.ephemeral
            configuration.port = 0
            configuration.certificate = certificates.files()
            let server = try await CloudletServer.start(configuration)
            let url = try #require(server.url)
            #expect(url.scheme == "https")
            try await withClient(trusting: certificates.path("certificate")) { client in
                let target = url.absoluteString + ServerWorld.target("public/zones/list")
                let (status, body) = try await Self.fetch(target, client)
                #expect(status == 200)
                #expect(body["zones"][0]["zoneID"]["zoneName"] == "_defaultZone")
            }
            try await withClient(trusting: nil) { client in
                await #expect(throws: (any Error).self) {
                    try await Self.fetch(url.absoluteString + "/limits", client)
                }
            }
            await #expect(throws: (any Error).self) {
                try await RawHTTP(url).send("GET", "/limits", [:], [])
            }
            await server.stop()
        }
    }

    @Test("URLs in the answers of a server with TLS begin with https")
    func addresses() async throws {
        try await withCertificates { certificates in
            let files = certificates.files()
            try await withServer(
                .loopback,
                {
                    $0.publicURL = nil
                    $0.certificate = files
                }
            ) { world in
                let alice = try await world.signIn("alice")
                let address = try await world.uploadAddress(record: "f", as: alice)
                #expect(address.hasPrefix("https://"))
            }
        }
    }

    @Test("TLS 1.3, and TLS 1.2 with forward secrecy and authenticated encryption, are accepted; others fail")
    func versions() async throws {
        try await withCertificates { certificates in
            let rsa = certificates.path("rsa")
            try await OpenSSL.run(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-keyout", rsa + "-key", "-out", rsa)
            for (files, kind) in [
                (certificates.files(), "ECDSA"), (certificates.files("rsa", "rsa-key"), "RSA"),
            ] {
                var configuration = ServerConfiguration.ephemeral
                configuration.port = 0
                configuration.certificate = files
                let server = try await CloudletServer.start(configuration)
                let port = try #require(server.url?.port)
                for option in ["-tls1_2", "-tls1_3"] {
                    #expect(try await Self.handshake(port, option), "\(kind) \(option)")
                }
                for suite in ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"] {
                    let name = "ECDHE-\(kind)-\(suite)"
                    #expect(try await Self.handshake(port, "-tls1_2", "-cipher", name), "\(name)")
                }
                // Security level 0 lets the client offer broken ciphers, so that the server must refuse them.
                for option in ["-tls1", "-tls1_1"] {
                    let spoken = try await Self.handshake(port, option, "-cipher", "ALL:@SECLEVEL=0")
                    #expect(!spoken, "\(kind) \(option)")
                }
                for suite in [
                    "AES128-SHA", "AES256-SHA", "AES128-SHA256", "AES128-GCM-SHA256",
                    "ECDHE-\(kind)-AES128-SHA", "ECDHE-\(kind)-AES128-SHA256", "DHE-RSA-AES128-GCM-SHA256",
                ] {
                    let spoken = try await Self.handshake(
                        port, "-tls1_2", "-cipher", suite + ":@SECLEVEL=0")
                    #expect(!spoken, "\(kind) \(suite)")
                }
                await server.stop()
            }
        }
    }

    /// Whether the TLS handshake of openssl with the server at this port succeeds.
    private static func handshake(_ port: Int, _ options: String...) async throws -> Bool {
        let arguments = ["openssl", "s_client", "-connect", "127.0.0.1:\(port)"] + options
        let end = try await Command(executable: "/usr/bin/env", arguments).end()
        return end.code == 0 && end.output.contains("New, TLSv1.") && !end.output.contains("(NONE)")
    }

    @Test("The error for an unusable certificate names the file, the reason and the remedy")
    func refusals() async throws {
        try await withCertificates { certificates in
            let cases: [(CertificateFiles, String)] = [
                (certificates.files("nowhere"), "the certificate file nowhere cannot be read"),
                (certificates.files("key"), "the file key contains no certificate in PEM"),
                (certificates.files("certificate", "nowhere"), "the key file nowhere cannot be read"),
                (
                    certificates.files("certificate", "certificate"),
                    "the file certificate contains no private key in PEM that can be read"
                ),
                (
                    certificates.files("certificate", "other-key"),
                    "the key other-key does not belong to the certificate certificate"
                ),
            ]
            for (files, reason) in cases {
                var configuration = ServerConfiguration.ephemeral
                configuration.port = 0
                configuration.certificate = files
                let error = await #expect(throws: ServerError.self) {
                    try await CloudletServer.start(configuration)
                }
                #expect(error?.code == .certificateUnusable)
                let place = certificates.folder.path + "/"
                #expect(error?.reason.replacingOccurrences(of: place, with: "") == reason)
                #expect(error?.nextStep.isEmpty == false)
            }
        }
    }

    @Test("The command serve takes a certificate and its key together")
    func command() async throws {
        try await withCertificates { certificates in
            let (certificate, key) = (certificates.path("certificate"), certificates.path("key"))
            let command = try Command(
                "serve", "--ephemeral", "--port", "0", "--tls-certificate", certificate, "--tls-key", key)
            let printed = try await command.waitForOutput("ready\n")
            let url = try #require(printed.split(separator: "\n").first.map(String.init))
            #expect(url.hasPrefix("https://127.0.0.1:"))
            try await withClient(trusting: certificate) { client in
                let (status, _) = try await Self.fetch(url + "/limits", client)
                #expect(status == 200)
            }
            let untrusting = try await Program.cloudlet("shell", "--server", url, "-c", "limits")
            #expect(untrusting.code != 0)
            #expect(untrusting.errors.contains("--trust-certificate FILE"), "\(untrusting.errors)")
            let trusting = try await Program.cloudlet(
                "shell", "--server", url, "--trust-certificate", certificate, "-c", "limits")
            #expect(trusting.code == 0, "\(trusting.errors)")
            // An app created from the template has the same flag and variable.
            let app = try Program.path("TaskBook") + " --server \(url) -c 'sign-in ann' --data"
            let apps = try await Program.shell(
                """
                \(app) a; echo $?; \(app) b --trust-certificate \(certificate); echo $?
                CLOUDLET_TRUST_CERTIFICATE=\(certificate) \(app) c; echo $?
                """)
            #expect(apps.output == "1\n0\n0\n", "\(apps.errors)")
            #expect(apps.errors.contains("--trust-certificate FILE"))
            #expect(await command.stop().code == 0)
            let half = try await Program.cloudlet("serve", "--ephemeral", "--tls-key", key)
            #expect(half.code == 2)
            #expect(half.errors.contains("belong together"))
            let other = certificates.path("other-key")
            let wrong = try await Program.cloudlet(
                "serve", "--ephemeral", "--port", "0", "--tls-certificate", certificate, "--tls-key",
                other
            )
            #expect(wrong.code == 1)
            #expect(wrong.errors.hasPrefix("cloudlet: the key \(other) does not belong to the certificate"))
            #expect(wrong.errors.split(separator: "\n").count == 1)
        }
    }
}
