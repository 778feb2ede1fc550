// Owns the names that completion in a shell offers: those that the server has now.

import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

extension CompletionKind {
    /// The containers of the server.
    static var containers: CompletionKind {
        live { client, _ in try await client.send(ListContainers()).elements.map(\.name) }
    }

    /// The people who may sign in.
    static var people: CompletionKind {
        live { client, _ in try await client.send(ListPeople()).elements.map(\.name) }
    }

    /// The roles of the container that is named before.
    static var roles: CompletionKind {
        live { client, words in
            guard let container = words.container else { return [] }
            return try await client.send(ListRoles(of: container, .development)).elements.map(\.name)
        }
    }

    /// The record types of the container that is named before.
    static var recordTypes: CompletionKind {
        live { client, words in
            guard let container = words.container else { return [] }
            return try await client.send(ReadSchema(of: container, .development)).types.map(\.name)
        }
    }

    /// How long a Tab may take.
    private static var patience: Duration { .seconds(1) }

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
                    try? await Task.sleep(for: patience)
                    return []
                }
                defer { group.cancelAll() }
                return await group.next() ?? []
            }
        }
    }
}

/// What stands on a command line that is being typed.
struct TypedWords: Sendable {
    let words: [String]

    /// The server that is meant.
    var options: OperatorOptions {
        var options = OperatorOptions.parseOrExit([])
        options.server = value("--server")
        options.data = value("--data")
        options.operatorKeyFile = value("--operator-key-file")
        options.allowPlainHTTP = words.contains("--allow-plain-http")
        return options
    }

    /// The container that is named, by its place or by `--container`.
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
