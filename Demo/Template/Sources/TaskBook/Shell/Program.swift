import CloudSync
import Cloudlet
import CommandShell
import Foundation
import LocalReplica

/// The program that the shell runs: its commands, completion and error texts.
struct Program: ShellProgram, NamedProgram {
    static let names = ProgramNames("TaskBook", title: "TaskBook")
    static let commandNames = Models.all.map { $0.word } + ["sign-in", "sync", "status"]

    var names: ProgramNames { Self.names }
    let device: Device
    let environment: ShellEnvironment
    /// Whether the device syncs automatically while the shell is open.
    let isLive: Bool

    /// The name, and a mark while the device cannot sync.
    var prompt: String {
        get async {
            let isStopped = [.waiting, .blocked].contains(await device.sync.status.activity)
            return isStopped ? "\(names.name) [not synced]> " : "\(names.name)> "
        }
    }

    var commands: [CommandSpec] {
        Models.all.flatMap { commands(for: $0) }
            + SyncCommands(device: device, environment: environment).commands
    }

    private func commands<Kind: Model>(for type: Kind.Type) -> [CommandSpec] {
        ModelCommands<Kind>(device: device, environment: environment).commands
    }

    /// Completion candidates: the names of models, property keys, and the values of references.
    func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate] {
        for type in Models.all {
            if kind.name == type.word { return await names(of: type).map { Candidate($0) } }
            if kind.name == "\(type.word) values" { return await values(of: type, typed) }
        }
        return []
    }

    private func names(of type: (some Model).Type) async -> [String] {
        ((try? await device.repository.all(type)) ?? []).map(\.displayName)
    }

    private func values<Kind: Model>(of type: Kind.Type, _ typed: String) async -> [Candidate] {
        for property in Kind.properties where typed.hasPrefix(property.key + "=") {
            switch property.kind {
            case .reference(let target, _), .references(let target):
                return await names(of: target).map { Candidate("\(property.key)=\($0)") }
            default: return []
            }
        }
        return Kind.properties.map { Candidate($0.key + "=", $0.kind.form) }
    }

    func shellError(about error: any Error) async -> ShellError {
        switch error {
        case let error as CKError:
            let isUnreachable = [.networkUnavailable, .networkFailure].contains(error.code)
            let remedy = isUnreachable ? "check that the server runs" : "sign-in NAME"
            return ShellError(
                code: "\(error.code)", message: error.localizedDescription,
                remedy: isUnreachable || error.code == .notAuthenticated ? remedy : nil)
        case let error as ReplicaError:
            return ShellError(
                code: "\(error.code)", message: "\(error.culprit): \(error.reason)", remedy: error.nextStep)
        default: return ShellError(error)
        }
    }

    func runInBackground() async {
        guard isLive else { return }
        do {
            try await device.run()
        } catch {
            environment.tell("the automatic sync has ended: \(error)")
        }
    }
}
