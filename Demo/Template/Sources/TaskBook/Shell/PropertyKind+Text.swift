import CommandShell
import Foundation
import Records

extension PropertyKind {
    /// An example of the value's input, for help texts.
    var form: String {
        switch self {
        case .text: "TEXT"
        case .flag: "yes"
        case .whole: "7"
        case .number: "1.5"
        case .date: "tomorrow"
        case .texts: "A,B"
        case .photo: "FILE"
        case .reference(let type, _): type.word.uppercased()
        case .references(let type): "\(type.word.uppercased()),…"
        }
    }

    /// A value for an answer. A reference shows the name of its target.
    func shown(_ value: FieldValue?, _ names: [String: String]) -> Value {
        switch value {
        case .string(let text)?: .text(text)
        case .int64(let number)?: if case .flag = self { .flag(number != 0) } else { .count(Int(number)) }
        case .double(let number)?: .text("\(number)")
        case .timestamp(let moment)?: .moment(moment.date)
        case .list(_, let values)?:
            .texts(values.compactMap(String.init(fieldValue:)).map { names[$0] ?? $0 })
        case .asset(let file)?: .bytes(Int(file.size))
        case .reference(let target)?: .text(names[target.recordName] ?? target.recordName)
        default: .missing
        }
    }
}

/// Parses typed values.
struct ValueReader: Sendable {
    let repository: Repository
    let environment: ShellEnvironment
    let now: Date

    /// The value of a word; nil for an empty word, which removes the value.
    func value(of word: Word, _ kind: PropertyKind) async throws -> FieldValue? {
        if word.text.isEmpty { return nil }
        switch kind {
        case .text: return .string(word.text)
        case .flag: return try flag(word).fieldValue
        case .whole: return try number(Int.init, of: word, "a whole number").fieldValue
        case .number: return try number(Double.init, of: word, "a number").fieldValue
        case .date: return try ParsedArguments.moment(word, now: now).fieldValue
        case .texts: return parts(of: word).map(\.text).fieldValue
        case .photo: return .asset(try repository.replica.keepFile(at: environment.file(word)))
        case .reference(let type, _): return Reference(recordName: try await id(of: word, type)).fieldValue
        case .references(let type):
            var ids: [String] = []
            for part in parts(of: word) { ids.append(try await id(of: part, type)) }
            return ids.fieldValue
        }
    }

    private func flag(_ word: Word) throws -> Bool {
        switch word.text {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw ShellError.usage("it is yes or no, not `\(word.text)`", at: word.range)
        }
    }

    private func number<Number>(_ read: (String) -> Number?, of word: Word, _ what: String) throws -> Number {
        if let number = read(word.text) { return number }
        throw ShellError.usage("it is \(what), not `\(word.text)`", at: word.range)
    }

    private func parts(of word: Word) -> [Word] {
        word.text.split(separator: ",").map {
            Word($0.trimmingCharacters(in: .whitespaces), range: word.range)
        }
    }

    private func id(of word: Word, _ type: (some Model).Type) async throws -> String {
        try await repository.find(type, word).id
    }
}

extension Repository {
    /// The model that a word names: by ID, name, or the beginning of either. Throws a shell error if
    /// there is not exactly one.
    func find<Kind: Model>(_ type: Kind.Type, _ word: Word) async throws -> Kind {
        let (models, typed) = (try await all(type), word.text.lowercased())
        let same = models.filter { $0.id == word.text || $0.displayName.lowercased() == typed }
        let found =
            same.isEmpty
            ? models.filter {
                $0.displayName.lowercased().hasPrefix(typed) || $0.id.lowercased().hasPrefix(typed)
            }
            : same
        if found.count == 1 { return found[0] }
        if found.isEmpty {
            throw ShellError(
                code: "notFound", message: "there is no \(Kind.word) `\(word.text)`", span: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: models.map(\.displayName)),
                remedy: "\(Kind.word) list")
        }
        throw ShellError(
            code: "ambiguousName", message: "`\(word.text)` could be any of these", span: word.range,
            candidates: found.map { "\($0.displayName) (\($0.id))" }, remedy: "give an ID")
    }
}
