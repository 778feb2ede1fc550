import Foundation
import Subprocess

extension StatementRunner {
    /// A line without its redirection `> FILE` or `| PROGRAM`, and the redirection.
    struct Redirection: Equatable {
        var line: String
        var file: Word?
        var program: String?
    }

    /// Splits a line before `> FILE` at its end, or at the first unquoted word `|`. Commands such as
    /// `expect`, whose arguments may contain these signs, are not split.
    static func redirection(of text: String) -> Redirection {
        let plain = Redirection(line: text)
        guard let words = try? Tokenizer.words(in: text), let first = words.first,
            !["expect", "help", "watch", "?"].contains(first.text)
        else { return plain }
        if let bar = words.firstIndex(where: { !$0.isQuoted && $0.text == "|" }), bar > 0,
            bar + 1 < words.count
        {
            let place = words[bar].range.lowerBound
            return Redirection(line: String(text.prefix(place)), program: String(text.dropFirst(place + 1)))
        }
        guard words.count > 2, !words[words.count - 2].isQuoted, words[words.count - 2].text == ">" else {
            return plain
        }
        let place = words[words.count - 2].range.lowerBound
        return Redirection(line: String(text.prefix(place)), file: words.last)
    }

    /// The file that a word names.
    ///
    /// - Throws: `ShellError` if the file cannot be written.
    func writable(_ word: Word) throws -> URL {
        let file = environment.file(word)
        let folder = file.deletingLastPathComponent()
        let files = FileManager.default
        var isFolder: ObjCBool = false
        func shellError(_ reason: String) -> ShellError {
            ShellError(
                code: "badFile", message: "\(word.text) cannot be written: \(reason)", span: word.range,
                remedy: "name a file in a folder that exists and that you may write to")
        }
        if files.fileExists(atPath: file.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw shellError("it is a folder") }
            if !files.isWritableFile(atPath: file.path) { throw shellError("it is write-protected") }
        } else {
            guard files.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
                throw shellError("there is no folder \(folder.path)")
            }
            if !files.isWritableFile(atPath: folder.path) {
                throw shellError("its folder is write-protected")
            }
        }
        return file
    }

    /// Passes the data of an outcome to the file or program of its redirection.
    func redirected(_ outcome: StatementOutcome, by redirection: Redirection) async throws -> StatementOutcome
    {
        var outcome = outcome
        let data = outcome.rendering.data
        if let program = redirection.program {
            let result = try await ShellPipe.run(
                program, reading: data, output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
            outcome.rendering.data = result.standardOutput
            outcome.rendering.messages += result.standardError
        } else if let file = redirection.file.map(environment.file) {
            try Data(data.utf8).writeForUser(to: file)
            outcome.rendering.data = ""
        } else if let file = state.current.output, !data.isEmpty {
            try Self.append(data, to: file)
            outcome.rendering.data = ""
        }
        return outcome
    }

    private static func append(_ text: String, to file: URL) throws {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().writeForUser(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
    }
}
