import Foundation

/// Standard error, for messages.
public enum StandardError {
    /// Writes a text and ignores failures. Control codes other than colours and weights are made visible.
    public static func write(_ text: String) {
        control(VisibleText.styled(text))
    }

    /// Asks a yes-or-no question and reads the answer from standard input. Every answer except `y` and `yes`
    /// means no.
    public static func isConfirmed(_ question: String) -> Bool {
        write(VisibleText.escaped(question) + " [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// Writes a JSON document and a line break.
    public static func writeJSON(_ bytes: [UInt8]) {
        control(VisibleText.json(String(decoding: bytes, as: UTF8.self)) + "\n")
    }

    /// Writes text unchanged. It must not contain control codes from other people.
    public static func control(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
