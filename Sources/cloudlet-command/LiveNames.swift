// Completions that ask the server for its current names.

import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

extension CompletionKind {
    /// The names of the server's containers.
    static var containers: CompletionKind {
        live { client, _ in try await client.send(ListContainers()).elements.map(\.name) }
    }

    /// The sign-in names of the server's people.
    static var people: CompletionKind {
        live { client, _ in try await client.send(ListPeople()).elements.map(\.name) }
    }

    /// The roles of the container that the command line names.
    static var roles: CompletionKind {
        live { client, words in
            guard let container = words.container else { return [] }
            return try await client.send(ListRoles(of: container, .development)).elements.map(\.name)
        }
    }

    /// The record types of the container that the command line names.
    static var recordTypes: CompletionKind {
        live { client, words in
            guard let container = words.container else { return [] }
            return try await client.send(ReadSchema(of: container, .development)).types.map(\.name)
        }
    }

    /// The maximum duration of a lookup for completion.
    private static var timeout: Duration { .seconds(1) }

    private static func live(
        _ find: @escaping @Sendable (OperatorClient, TypedWords) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, prefix in
            let typed = TypedWords(words: words)
            return await withTaskGroup(of: [String].self) { group in
                group.addTask {
                    let found = try? await typed.options.withOperator(isCompleting: true) {
                        try await find($0, typed)
                    }
                    return (found ?? []).filter { $0.hasPrefix(prefix) && ShellWord.isPlain($0) }
                }
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return []
                }
                defer { group.cancelAll() }
                return await group.next() ?? []
            }
        }
    }
}

/// The words of a command line that is being completed.
struct TypedWords: Sendable {
    let words: [String]

    /// The operator options on the command line.
    var options: OperatorOptions {
        var options = OperatorOptions.parseOrExit([])
        options.server = value("--server")
        options.data = value("--data")
        options.operatorKeyFile = value("--operator-key-file")
        options.trustCertificate = value("--trust-certificate")
        options.allowPlainHTTP = words.contains("--allow-plain-http")
        return options
    }

    /// The container on the command line: the value of `--container` or the third word.
    var container: String? {
        if let named = value("--container") { return named }
        var names: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word.hasPrefix("-") { _ = rest.popFirst() } else { names.append(word) }
        }
        return names.count > 2 ? names[2] : nil
    }

    private func value(_ flag: String) -> String? {
        guard let place = words.firstIndex(of: flag), place + 1 < words.count else { return nil }
        return words[place + 1]
    }
}
