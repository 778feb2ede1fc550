// Owns `cloudlet serve`: a server that runs until it is told to stop.

import ArgumentParser
import CloudletServer
import CommandText
import Foundation
import UnixSignals

/// Runs a server in the foreground.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a server until it is interrupted.",
        discussion: """
            Prints the server's address, then `ready`, once it accepts connections. An interrupt stops it in \
            order; a second one stops it at once. What was acknowledged is on disk either way.
            """
    )

    @OptionGroup var place: ServerPlace

    @Option(help: "The address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one. Default: 8080")
    var port: Int?

    @Flag(
        help: ArgumentHelp(
            "Open to all comers, or closed to strangers.",
            discussion: """
                Open: people sign in by name, apps need no token, containers come into being at first use; \
                with --ephemeral, faults can be set. Closed: passwords, API tokens, containers that exist. \
                Default: open on an address that only this machine can reach, closed on any other.
                """
        ))
    var access: AccessChoice?

    @Option(
        help: "A file with the server's certificate in PEM; it listens with TLS then.",
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: "A file with the private key of the certificate in PEM, without a pass phrase.",
        completion: .file())
    var tlsKey: String?

    @OptionGroup(title: "Apple's push service") var applePush: ApplePushOptions

    @Option(
        help: "A file with the server's address, there while the server is ready.",
        completion: .file())
    var readyFile: String?

    @Flag(help: "Let everybody send as many requests as they like.")
    var noRequestLimits = false

    func validate() throws {
        guard (0...Int(UInt16.max)).contains(port ?? 0) else {
            throw ValidationError("--port takes a number from 0 to \(UInt16.max), not \(port ?? 0).")
        }
    }

    func run() async throws {
        let configuration = try configuration
        // What an earlier server left would be taken for this one's.
        if let readyFile { unlink(readyFile) }
        let server = try await place.start(configuration)
        // Before `ready` is printed, so that an interrupt from then on is never lost.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        defer { if let readyFile { unlink(readyFile) } }
        do {
            try announce(server.url?.absoluteString ?? "")
        } catch {
            await server.stop()
            throw error
        }
        let access = configuration.isOpen ? "open to all comers" : "closed to strangers"
        Talk.say("data in \(server.dataFolder.path); \(access); interrupt (Ctrl-C) to stop")
        try await stop(server, at: signals)
    }

    /// What the server runs with: what the flags say, or else the settings.
    private var configuration: ServerConfiguration {
        get throws {
            let settings = try Surroundings.settings([
                "host": host, "port": port.map(String.init), "access": access?.rawValue,
                "tls-certificate": tlsCertificate, "tls-key": tlsKey,
            ])
            var configuration = try place.configuration
            if !noRequestLimits { configuration.limits = .hosted }
            configuration.host = settings["host"] ?? "127.0.0.1"
            configuration.port = settings["port"].flatMap(Int.init) ?? 8080
            configuration.access = settings["access"].flatMap(AccessChoice.init)?.access ?? .automatic
            configuration.applePush = applePush.settings
            switch (settings["tls-certificate"], settings["tls-key"]) {
            case (let certificate?, let key?):
                configuration.certificate = CertificateFiles(
                    certificate: URL(fileURLWithPath: certificate), key: URL(fileURLWithPath: key))
            case (nil, nil): break
            default: throw ValidationError("--tls-certificate and --tls-key belong together; give both.")
            }
            return configuration
        }
    }

    /// Says that the server is ready, and where; that nobody reads it any more is no reason to stop.
    private func announce(_ address: String) throws {
        if let readyFile { try write(address, to: readyFile) }
        do {
            try StandardOutput.write("\(address)\nready\n")
        } catch .closed {
            return
        }
    }

    /// Waits for a first signal and stops the server; a second one meanwhile ends the process at once.
    private func stop(_ server: CloudletServer, at signals: UnixSignalsSequence) async throws {
        let (first, gate) = AsyncStream.makeStream(of: Never.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var isStopping = false
                for await _ in signals {
                    if isStopping { throw ExitCode(130) }
                    isStopping = true
                    gate.finish()
                }
            }
            for await _ in first {}
            group.addTask { await server.stop() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Written aside and moved, so that whoever waits for the file never reads half of it.
    private func write(_ address: String, to path: String) throws {
        do {
            try Data((address + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            Talk.say("cannot write the ready file \(path): \(error.localizedDescription)")
            throw ExitCode.failure
        }
    }
}

/// `--open` or `--closed`.
enum AccessChoice: String, EnumerableFlag {
    /// For development.
    case open
    /// For strangers.
    case closed

    var access: ServerConfiguration.Access {
        switch self {
        case .open: .open
        case .closed: .closed
        }
    }
}
