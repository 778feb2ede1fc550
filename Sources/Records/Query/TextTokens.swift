import Foundation

/// Splits a text into words at every character that is neither a letter nor a number, and folds case and
/// diacritics.
///
/// Server, stores and client all use this function, so that they agree about words.
package func textTokens(_ text: String) -> [String] {
    if let tokens = asciiTokens(text) { return tokens }
    var tokens: [String] = []
    var current = String.UnicodeScalarView()
    for piece in TextPieces(text) {
        let folded = piece.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        for scalar in folded.unicodeScalars {
            if scalar.isWordPart {
                current.append(scalar)
            } else if !current.isEmpty {
                tokens.append(String(current))
                current.removeAll()
            }
        }
    }
    if !current.isEmpty { tokens.append(String(current)) }
    return tokens
}

/// The words of a search text without stop words. If all are stop words, all are kept.
package func searchTokens(_ text: String) -> [String] {
    let tokens = textTokens(text)
    let meaningful = tokens.filter { !stopWords.contains($0) }
    return meaningful.isEmpty ? tokens : meaningful
}

/// English stop words, which searches ignore.
private let stopWords: Set<String> = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
]

/// A fast path for ASCII text, which needs no folding tables; nil for other text.
private func asciiTokens(_ text: String) -> [String]? {
    var tokens: [String] = []
    var current: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case 48...57, 97...122: current.append(byte)
        case 65...90: current.append(byte | 0x20)
        case 128...: return nil
        default:
            if !current.isEmpty { tokens.append(String(decoding: current, as: UTF8.self)) }
            current.removeAll(keepingCapacity: true)
        }
    }
    if !current.isEmpty { tokens.append(String(decoding: current, as: UTF8.self)) }
    return tokens
}

extension Unicode.Scalar {
    fileprivate var isWordPart: Bool {
        if isASCII {
            return (48...57).contains(value) || (65...90).contains(value) || (97...122).contains(value)
        }
        return properties.isAlphabetic || properties.numericType != nil
    }
}
