import Cloudlet
import Foundation
import Testing

/// A text that sets the title of a terminal, changes its colour, and reverses the direction of a line.
enum HostileText {
    static let text = "\u{1B}]0;title\u{7}\u{9B}31m\u{202E}evil\u{200B}\u{2028}"
    /// The text as a shell shows it.
    static let shown = "\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}evil\\u{200b}\\u{2028}"
    /// The text in JSON, in which only the first two control characters must be escaped.
    static let json = "\\u001b]0;title\\u0007\u{9B}31m\u{202E}evil\u{200B}\u{2028}"

    /// The first character, in hexadecimal, that a terminal would interpret or hide; nil if there is none.
    static func found(in text: String) -> String? {
        let bad = text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x0A, 0x09: false
            case 0..<0x20, 0x7F...0x9F, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
            default: false
            }
        }
        return bad.map { String($0.value, radix: 16) }
    }
}

/// Adds hostile text to every name and error text in the answers of a server.
struct HostileTransport: CloudTransport {
    let base: any CloudTransport

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        var response = try await base.send(request)
        guard case .bytes(let bytes) = response.body, bytes.first == UInt8(ascii: "{") else {
            return response
        }
        let keys = [
            "value", "reason", "nextStep", "givenName", "familyName", "text", "label", "explanation",
            "deviceID",
            "schema", "alertBody", "title", "subtitle", "lookupInfo", "why",
        ]
        let pattern = try Regex(#""(\#(keys.joined(separator: "|")))":"((?:[^"\\]|\\.)*)""#)
        let text = String(decoding: bytes, as: UTF8.self).replacing(pattern) { match in
            "\"\(match.output[1].substring ?? "")\":\"\(match.output[2].substring ?? "")\(HostileText.json)\""
        }
        response.body = .bytes(Array(text.utf8))
        return response
    }
}
