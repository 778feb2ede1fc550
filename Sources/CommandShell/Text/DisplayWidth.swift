import CWidth
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The width of text in terminal columns: wide characters and emoji take two, combining marks none.
public enum DisplayWidth {
    /// The number of columns that `text` takes.
    public static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The number of columns that one character takes, however many scalars it consists of.
    public static func of(_ character: Character) -> Int {
        guard isUnicodeReady, let first = character.unicodeScalars.first else { return 1 }
        if first.isASCII { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        let isEmoji = character.unicodeScalars.contains {
            $0.value == 0xFE0F || $0.properties.isEmojiPresentation
        }
        if isEmoji { return 2 }
        return max(0, Int(wcwidth(wchar_t(first.value))))
    }

    /// The longest prefix of `text` that fits into `width` columns, with an ellipsis if something was cut.
    public static func fitted(_ text: String, to width: Int) -> String {
        if of(text) <= width { return text }
        var used = 0
        var head = ""
        for character in text {
            let next = of(character)
            if used + next > width - 1 { break }
            used += next
            head.append(character)
        }
        return width > 0 ? head + "…" : ""
    }

    /// Whether a Unicode locale could be set. Without one, `wcwidth` knows only ASCII.
    private static let isUnicodeReady: Bool = {
        if let name = setlocale(Int32(LC_CTYPE), ""), String(cString: name).lowercased().contains("utf") {
            return true
        }
        return setlocale(Int32(LC_CTYPE), "C.UTF-8") != nil
    }()
}
