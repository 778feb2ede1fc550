import Foundation

/// The channel that talk goes to.
public enum StandardError {
    /// Writes a text as far as anybody hears it. Of control codes, only colours and weights get through.
    public static func write(_ text: String) {
        control(VisibleText.styled(text))
    }

    /// Writes a JSON document and ends the line.
    public static func writeJSON(_ bytes: [UInt8]) {
        control(VisibleText.json(String(decoding: bytes, as: UTF8.self)) + "\n")
    }

    /// Writes a text with the control codes in it, which must all be our own.
    public static func control(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
