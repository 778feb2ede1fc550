import Foundation
import Subprocess

/// Edits text in the editor of `$VISUAL` or `$EDITOR`, by default `vi`.
struct TextEditor: Sendable {
    let command: String
    /// The folder for the temporary file.
    let folder: URL
    private let names: ProgramNames

    init(of names: ProgramNames, environment: [String: String], folder: URL) {
        self.names = names
        command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        self.folder = folder
    }

    /// The saved text without white space at its end; nil if nothing was saved or the text is empty.
    func edited(_ text: String) async throws -> String? {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("command.\(names.scriptExtension)")
        try Data((text + "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let before = try stamp(of: file)
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", command + " \"$1\"", "sh", file.path],
            input: .currentStandardInput, output: .currentStandardOutput, error: .currentStandardError)
        guard result.terminationStatus.isSuccess else {
            throw ShellError(
                code: "noEditor", message: "the editor `\(command)` failed, so nothing was run",
                remedy: "set VISUAL or EDITOR to another editor: EDITOR=nano \(names.invocation)")
        }
        if try stamp(of: file) == before { return nil }
        var saved = try String(contentsOf: file, encoding: .utf8)
        while saved.last?.isWhitespace == true { saved.removeLast() }
        return saved.isEmpty ? nil : saved
    }

    /// A stamp that changes whenever the file is saved, even with the same content.
    private func stamp(of file: URL) throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let date = attributes[.modificationDate] as? Date
        return ["\(date?.timeIntervalSince1970 ?? 0)", "\(attributes[.systemFileNumber] ?? 0)"]
    }
}
