// Owns the description of the commands about records as they are.
import Foundation

extension CommandTable {
    static let recordCommands = [recordSave, recordShow]

    private static let group = "Records"

    private static let recordSave = CommandSpec(
        path: ["record", "save"],
        group: group,
        summary: "write fields of a public record of any type, over whatever is there",
        arguments: [
            ArgumentSpec("TYPE", .text), ArgumentSpec("NAME", .text),
            ArgumentSpec("FIELD=VALUE", .text, .many),
        ],
        details: """
            A value that is a number is stored as one, anything else as text; nothing after the = removes the
            field. In development a new type or field joins the schema; in production it is refused.
            """,
        examples: ["record save Party gala guests=40 theme=circus"],
        build: { arguments in
            let changes = try arguments.words(from: "FIELD=VALUE").map(change)
            return .record(
                .save(type: try arguments.name("TYPE"), name: try arguments.name("NAME"), changes: changes))
        }
    )

    private static let recordShow = CommandSpec(
        path: ["record", "show"],
        group: group,
        summary: "show a public record with all its fields",
        arguments: [ArgumentSpec("NAME", .text)],
        examples: ["record show gala"],
        build: { .record(.show(name: try $0.name("NAME"))) }
    )

    private static func change(_ word: Word) throws -> RecordRepository.Change {
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Complaint.usage("`\(word.text)` is no field with its value", at: word.range)
        }
        let text = String(parts[1])
        let value: RecordRepository.Change.Value? =
            if text.isEmpty {
                nil
            } else if let number = Int64(text) {
                .whole(number)
            } else if let number = Double(text), number.isFinite {
                .real(number)
            } else {
                .text(text)
            }
        return RecordRepository.Change(field: String(parts[0]), value: value)
    }
}
