import ArgumentParser
import Cloudlet
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

/// How a command ended: its exit code and the message to print.
struct CommandResult {
    /// The exit code: 0 success, 1 failure, 2 wrong usage, 4 access denied, 5 conflict, 6 throttled or quota
    /// exceeded.
    let code: Int32
    private let word: String
    private let message: String
    private var culprit: String?
    private var remedy: String?
    private var suggestions: [String] = []
    /// Whether the message is that of the argument parser, with its usage.
    private var isWholeMessage = false

    init(_ error: any Error, arguments: [String]) {
        switch error {
        case let error as RecordError:
            code = Self.code(of: error)
            word = error.code.rawValue
            message = error.reason
            culprit = error.culprit
            remedy = error.nextStep
        case let error as CKError:
            (code, word, message) = (1, "\(error.code)", error.localizedDescription)
        case let error as ServerError:
            (code, word, message, remedy) = (1, "server", error.reason, error.nextStep)
        case let error as ConfigurationError:
            (code, word, message) = (2, "configuration", error.reason)
            culprit = error.place
            remedy = error.nextStep
        case StandardOutput.Failure.closed: (code, word, message) = (0, "", "")
        case let error as StandardOutput.Failure: (code, word, message) = (1, "output", error.description)
        case let error as ValidationError:
            // From `run`: the parser no longer knows the command, and would show the usage of another one.
            (code, word, message) = (2, "usage", error.message)
        case let error as ExitCode:
            (code, word, message) = (error.rawValue, "", "")
        default:
            let isUsage = CloudletCommand.exitCode(for: error) == .validationFailure
            let isHelp = CloudletCommand.exitCode(for: error).isSuccess
            code = isHelp ? 0 : isUsage ? 2 : 1
            word = isHelp ? "help" : isUsage ? "usage" : "failed"
            message = CloudletCommand.fullMessage(for: error)
            isWholeMessage = true
            if isUsage { suggestions = CommandTree.suggestions(for: arguments) }
        }
    }

    /// The exit code for an error of the server.
    private static func code(of error: RecordError) -> Int32 {
        switch error.code {
        case .authenticationFailed, .authenticationRequired, .accessDenied: 4
        case .conflict, .exists: 5
        case .throttled, .tryAgainLater, .zoneBusy, .quotaExceeded: 6
        default: 1
        }
    }

    /// Prints the message: help on standard output, errors on standard error.
    func say(isJSON: Bool) throws(StandardOutput.Failure) {
        if word.isEmpty { return }
        if code == 0 {
            try StandardOutput.write(message + "\n")
        } else {
            if isJSON { StandardError.writeJSON(json) } else { StandardError.write(text) }
        }
    }

    /// The error in one line: `message [culprit]; next step`. The next step is an instruction in lower case
    /// without a full stop.
    private var text: String {
        var lines =
            isWholeMessage ? VisibleText.escaped(message) : "cloudlet: \(VisibleText.indented(message))"
        if let culprit { lines += " [\(VisibleText.line(culprit))]" }
        if !isWholeMessage, let remedy { lines += "; \(VisibleText.indented(remedy))" }
        if let best = suggestions.first { lines += "\n  did you mean `cloudlet \(best)`?" }
        return lines + "\n"
    }

    private var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.beginObject()
        json.member("code", word)
        json.member("message", message)
        json.member("culprit", culprit)
        json.member("remedy", remedy)
        if !suggestions.isEmpty { json.member("suggestions", suggestions) }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

/// The tree of commands, for suggestions.
enum CommandTree {
    /// The complete commands most similar to the arguments, best first; empty if the arguments name a
    /// command.
    static func suggestions(for arguments: [String]) -> [String] {
        var command: any ParsableCommand.Type = CloudletCommand.self
        var path: [String] = []
        for word in arguments where !word.hasPrefix("-") {
            let children = command.configuration.subcommands
            if children.isEmpty { return [] }
            if let child = children.first(where: { $0.configuration.commandName == word }) {
                command = child
                path.append(word)
                continue
            }
            let names = children.compactMap { $0.configuration.commandName }
            let near = DidYouMean.suggestions(for: word, among: names).map {
                (path + [$0]).joined(separator: " ")
            }
            return near.isEmpty && path.isEmpty ? leaves(named: word) : near
        }
        return []
    }

    /// The complete commands whose last word is similar to a word that was typed without its group.
    private static func leaves(named word: String) -> [String] {
        CloudletCommand.configuration.subcommands.flatMap { group in
            let names = group.configuration.subcommands.compactMap { $0.configuration.commandName }
            return DidYouMean.suggestions(for: word, among: names).map {
                "\(group.configuration.commandName ?? "") \($0)"
            }
        }
    }
}
