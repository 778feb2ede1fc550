// Owns writing to standard error: talk, whose loss is no reason to fail.
import Foundation

/// The channel that talk goes to.
public enum StandardError {
    /// Writes a text as far as anybody hears it.
    public static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
