import Foundation

/// Converts answers and errors to text.
///
/// Names, notes and messages come from other people. Control codes and hidden characters in them are made
/// visible (`VisibleText`) before colours are added. JSON has them as escapes, and CSV for a file or program
/// contains them unchanged.
struct Renderer: Sendable {
    /// The minimum width of a value in columns, even on a narrow terminal.
    private static let narrowest = 20

    /// Whether each command prints one JSON document.
    var isJSON: Bool { mode == .json }
    var mode = OutputMode.table
    /// Whether to leave out notes. Errors are never left out.
    var isQuiet = false
    /// The width of the terminal in columns; nil if the output is no terminal and need not be fitted.
    var width: Int?
    /// Whether the data goes to a terminal and not to a file or program.
    var isForScreen = false
    var dataPaint = Paint(isOn: false)
    var messagePaint = Paint(isOn: false)

    init(
        isJSON: Bool = false, mode: OutputMode = .table, isQuiet: Bool = false, width: Int? = nil,
        isForScreen: Bool = false,
        dataPaint: Paint = Paint(isOn: false), messagePaint: Paint = Paint(isOn: false)
    ) {
        self.mode = isJSON ? .json : mode
        self.isQuiet = isQuiet
        self.width = width
        self.isForScreen = isForScreen
        self.dataPaint = dataPaint
        self.messagePaint = messagePaint
    }

    func render(_ answer: Answer) -> Rendering {
        if let data = recordsInMode(answer) { return Rendering(data: data, messages: messages(answer)) }
        if isJSON { return Rendering(data: Self.json(answer).text + "\n", messages: messages(answer)) }
        guard case .list = answer.form, !answer.entries.isEmpty else {
            return Rendering(data: text(answer), messages: messages(answer))
        }
        let table = table(answer).layout(width: width)
        var lines = table.lines
        lines[0] = dataPaint.heading(lines[0])
        let hidden = table.hidden.joined(separator: ", ")
        let note =
            hidden.isEmpty ? "" : fitted("no room for \(hidden); a wider window or --json shows all") + "\n"
        return Rendering(data: lines.map { $0 + "\n" }.joined(), messages: note + messages(answer))
    }

    /// Renders an error, with a mark under the position in the line if it is known.
    func render(_ shellError: ShellError, line: String?) -> Rendering {
        let data = isJSON ? JSONValue.object([("error", shellError.json)]).text + "\n" : ""
        return Rendering(data: data, messages: lines(of: shellError, line: line).joined())
    }

    private func text(_ answer: Answer) -> String {
        switch answer.form {
        case .message: ""
        case .text(let text):
            fitted(VisibleText.escaped(text)) + (text.hasSuffix("\n") ? "" : "\n")
        case .drawing(let drawing): VisibleText.drawing(drawing) + (drawing.hasSuffix("\n") ? "" : "\n")
        case .record: answer.entries.map(sheet).joined(separator: "\n")
        case .list: ""
        }
    }

    private func fitted(_ text: String) -> String {
        width.map { WrappedText.fitted(text, to: $0) } ?? text
    }

    private func table(_ answer: Answer) -> TextTable {
        let columns = answer.columns.filter { column in
            answer.entries.contains { ($0.value(column.path) ?? .missing) != .missing }
        }
        let rows = answer.entries.map { entry in
            columns.map { column in
                let value = entry.value(column.path) ?? .missing
                return TextTable.Cell(text: value.text, isNumber: column.isRight || value.isNumber)
            }
        }
        return TextTable(headings: columns.map(\.heading), rows: rows, fits: columns.map(\.fit))
    }

    /// A single record, one field per line.
    func sheet(_ entry: Entry) -> String {
        let shown = entry.fields.filter { $0.value != .missing && !$0.value.text.isEmpty }
        let widest = shown.reduce(0) { max($0, DisplayWidth.of(VisibleText.line($1.name))) }
        return shown.map { field in
            let name = VisibleText.line(field.name)
            let blanks = String(repeating: " ", count: widest - DisplayWidth.of(name) + 2)
            let indent = "\n" + String(repeating: " ", count: widest + 2)
            let room = width.map { max($0 - widest - 2, Self.narrowest) }
            let text = VisibleText.escaped(field.value.text)
            let value = (room.map { Self.fitted(field.value, to: $0) } ?? text)
                .replacingOccurrences(of: "\n", with: indent)
            return dataPaint.heading(name) + blanks + value + "\n"
        }.joined()
    }

    /// A value wrapped to the given number of columns. Inner fields are not broken.
    private static func fitted(_ value: Value, to room: Int) -> String {
        guard case .fields(let fields) = value else {
            return WrappedText.fitted(VisibleText.escaped(value.text), to: room)
        }
        var lines: [String] = []
        for part in fields.map({ VisibleText.escaped(Value.fields([$0]).text) }) {
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(part) + 3 <= room {
                lines[lines.count - 1] = "\(last), \(part)"
            } else {
                if let last = lines.last { lines[lines.count - 1] = last + "," }
                lines.append(part)
            }
        }
        return lines.joined(separator: "\n")
    }

    private func messages(_ answer: Answer) -> String {
        var lines = isQuiet ? [] : answer.notes.map { fitted(VisibleText.escaped($0)) + "\n" }
        if !isQuiet, answer.form == .list, answer.entries.isEmpty, let hint = answer.whenEmpty {
            lines.append(fitted(VisibleText.escaped(hint)) + "\n")
        }
        let failures = answer.failures.flatMap { self.lines(of: $0, line: nil) }
        return (lines + failures).joined()
    }

    /// The lines of an error: message, place in the input, suggestions, candidates, next step.
    ///
    /// The rule for all errors of the project: the message names the culprit and the reason, and a separate
    /// field (`remedy`, or `nextStep` of other error types) contains the next step. That field is a command
    /// to type or an instruction in the imperative, in lower case and without a full stop. A shell prints it
    /// after `try:`. Where an error must be one line, the next step follows the reason: after ` - ` in
    /// `description` and in a `CKError`, whose API has no field for it, and after `; ` in the output of
    /// `cloudlet` and in the errors of starting a server or reading settings.
    private func lines(of shellError: ShellError, line: String?) -> [String] {
        // The person stopped the command, so nothing went wrong.
        if shellError == .interrupted { return [shellError.message + "\n"] }
        let file = shellError.file.map { "\(VisibleText.line($0)), " } ?? ""
        let place = shellError.line.map { "\(file)line \($0): " } ?? ""
        let message = fitted("error: \(place)\(VisibleText.indented(shellError.message))")
        var lines = [messagePaint.error("error:") + String(message.dropFirst("error:".count)) + "\n"]
        if let line, let span = shellError.span, !line.contains("\n"), span.upperBound <= line.count {
            let (head, rest) = (line.prefix(span.lowerBound), line.dropFirst(span.lowerBound))
            let before = DisplayWidth.of(VisibleText.line(String(head)))
            let marked = DisplayWidth.of(VisibleText.line(String(rest.prefix(span.count))))
            lines.append("  \(VisibleText.line(line))\n")
            let mark = String(repeating: "^", count: max(1, marked))
            lines.append("  " + String(repeating: " ", count: before) + messagePaint.error(mark) + "\n")
        }
        if !shellError.suggestions.isEmpty {
            let meant = shellError.suggestions.map { messagePaint.hint(VisibleText.line($0)) }
            lines.append("  did you mean \(Self.choice(meant))?\n")
        }
        lines += shellError.candidates.map { "  - \(VisibleText.line($0))\n" }
        if let remedy = shellError.remedy {
            let step = fitted("  try: \(VisibleText.indented(remedy))").dropFirst("  try: ".count)
            lines.append("  try: \(messagePaint.hint(String(step)))\n")
        }
        return lines
    }

    /// A list of alternatives: `a`, `a or b`, `a, b or c`.
    private static func choice(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func json(_ answer: Answer) -> JSONValue {
        switch answer.form {
        case .list:
            let records = JSONValue.array(answer.entries.map(\.fields.json))
            guard answer.isBatch else { return records }
            return .object([("records", records), ("failures", .array(answer.failures.map(\.json)))])
        case .record: return answer.entries.first?.fields.json ?? .null
        case .message: return answer.facts.json
        case .text(let text), .drawing(let text):
            return .object([("text", .string(text))] + answer.facts.map { ($0.name, $0.value.json) })
        }
    }
}

extension ShellError {
    /// The error as JSON: a stable code, the message and the details.
    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("code", .string(code)), ("message", .string(message)),
        ]
        if let file { members.append(("file", .string(file))) }
        if let line { members.append(("line", .integer(line))) }
        if let span {
            let from = JSONValue.integer(span.lowerBound)
            members.append(("span", .array([from, .integer(span.upperBound)])))
        }
        if !suggestions.isEmpty { members.append(("suggestions", .array(suggestions.map(JSONValue.string)))) }
        if !candidates.isEmpty { members.append(("candidates", .array(candidates.map(JSONValue.string)))) }
        if let remedy { members.append(("remedy", .string(remedy))) }
        return .object(members)
    }
}
