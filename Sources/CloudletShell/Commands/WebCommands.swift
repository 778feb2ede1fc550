import Cloudlet
import CommandShell
import Foundation
import Records
import RecordsWire

/// A command that sends a request of the web services as it is typed, without the `CK…` API.
struct WebCommands {
    let session: CloudSession

    /// The characters of a file's text that `--content` shows.
    private static let shownLimit = 200
    /// The largest file that `--content` shows, in bytes.
    private static let contentByteLimit: Int64 = 10_000_000

    var commands: [CommandSpec] { [web] }

    private var web: CommandSpec {
        CommandSpec(
            ["web"],
            group: RecordCommands.group,
            summary: "send a call to the web services as plain JSON, and show the records of the answer",
            arguments: [
                ArgumentSpec("DATABASE/CALL", .choice(Self.calls)), ArgumentSpec("JSON", .text),
            ],
            flags: [
                FlagSpec(
                    "content", "FIELD", .text,
                    "download the file of this field, and show the beginning of its text")
            ],
            details: """
                It shows the answer that a client without the framework gets. The call is sent as the \
                signed-in person. Put the JSON in single quotes; $NAME in it is replaced by a variable.
                """,
            examples: [
                #"web public/records/query '{"query":{"recordType":"Party"}}'"#,
                #"web private/records/lookup '{"zoneID":{"zoneName":"N"},"records":[{"recordName":"a"}]}'"#,
            ]
        ) { arguments in
            let (call, json) = (
                try arguments.requiredWord("DATABASE/CALL"), try arguments.requiredWord("JSON")
            )
            let field = arguments.text("content")
            guard call.text.wholeMatch(of: /(public|private|shared)\/[a-z]+\/[a-z]+(\/[a-z]+)?/) != nil else {
                throw ShellError.usage(
                    "`\(call.text)` is not a database and a call", at: call.range,
                    suggestions: DidYouMean.suggestions(for: call.text, among: Self.calls))
            }
            do throws(RecordError) {
                _ = try JSONDocument(Array(json.text.utf8))
            } catch {
                throw ShellError.usage(
                    "the JSON has an error: \(error.reason)", at: json.range,
                    remedy: json.isQuoted ? nil : "put the JSON in single quotes: \(arguments.spec.usage)")
            }
            return .work { try await send(call.text, json.text, content: field) }
        }
    }

    private static let calls = ["public", "private"].flatMap { database in
        ["records/lookup", "records/query", "records/modify", "records/changes"].map { "\(database)/\($0)" }
            + ["zones/list", "zones/modify"].map { "\(database)/\($0)" }
    }

    private func send(_ call: String, _ json: String, content field: String?) async throws -> Answer {
        let (context, connection) = (await session.context, await session.connection)
        let credentials = RequestParameters(
            apiToken: session.server.apiToken, webAuthToken: context.account?.session.webAuthToken)
        let container = ServerAccess.escaped(context.place.container)
        let path = "/database/1/\(container)/\(context.place.callEnvironment.rawValue)/\(call)"
        // With details, an error has a next step.
        let response = try await connection.transport.send(
            CloudRequest(
                .post, "\(path)?\(credentials.text)",
                headers: ["Content-Type": "application/json", detailsHeader: "1"],
                body: .bytes(Array(json.utf8))))
        guard response.status == 200 else { throw RecordError(status: response.status, body: response.bytes) }
        let answer = try JSONDocument(response.bytes).root
        var (entries, failures): ([Entry], [ShellError]) = ([], [])
        for node in answer["records"].map({ Array($0.elements) }) ?? [] {
            if node["serverErrorCode"] != nil {
                let name = node["recordName"]?.stringValue ?? ""
                failures.append(RecordError(node).shellError.naming(name))
            } else {
                let record = try Record(node, home: .default)
                entries.append(try await entry(of: record, content: field, over: connection.transport))
            }
        }
        return Answer(
            form: .list, entries: Self.completed(entries), columns: Self.columns(of: entries),
            facts: [
                AnswerField("status", .count(response.status)),
                AnswerField("bytes", .bytes(response.bytes.count)),
            ],
            whenEmpty: "the answer has no records", failures: failures, isBatch: true)
    }

    /// The entries with the same fields each. A record may lack a field that another one has.
    private static func completed(_ entries: [Entry]) -> [Entry] {
        let names = Set(entries.flatMap(\.fields).map(\.name))
        return entries.map { entry in
            let missing = names.subtracting(entry.fields.map(\.name)).sorted()
            return Entry(entry.fields + missing.map { AnswerField($0, .missing) })
        }
    }

    private static func columns(of entries: [Entry]) -> [Column] {
        let names = Set(entries.flatMap(\.fields).map(\.name)).subtracting(["record", "type"]).sorted()
        return [Column("RECORD", "record"), Column("TYPE", "type")]
            + names.map { Column($0.uppercased(), $0, isFlexible: true) }
    }

    private func entry(
        of record: Record, content field: String?, over transport: any CloudTransport
    ) async throws -> Entry {
        var fields = [
            AnswerField("record", .text(record.id.name)), AnswerField("type", .text(record.type)),
            AnswerField("zone", .text(record.id.zone.name)),
        ]
        for (name, value) in record.fields.map({ ($0.0, $0.1.value) }).sorted(by: { $0.0 < $1.0 }) {
            guard name == field, case .asset(let asset) = value else {
                fields.append(AnswerField(name, Self.shown(value)))
                continue
            }
            fields.append(AnswerField(name, .text(try await text(of: asset, in: name, over: transport))))
        }
        return Entry(fields)
    }

    private static func shown(_ value: FieldValue) -> Value {
        switch value {
        case .int64(let number): .count(Int(number))
        case .double(let number): .text("\(number)")
        case .string(let text): .text(text)
        case .bytes(let bytes): .bytes(bytes.count)
        case .timestamp(let moment): .moment(moment.date)
        case .asset(let asset): .bytes(Int(asset.size))
        case .reference(let reference): .text(reference.recordName)
        default: .text("\(value)")
        }
    }

    private func text(
        of asset: Asset, in field: String, over transport: any CloudTransport
    ) async throws -> String {
        guard let url = asset.downloadURL else {
            throw ShellError(code: "noFile", message: "the field \(field) has no URL of a file")
        }
        var request = CloudRequest(.get, url.replacing("${f}", with: field))
        request.maximumBytes = Self.contentByteLimit
        let response = try await transport.send(request)
        guard response.status == 200 else { throw RecordError(status: response.status, body: response.bytes) }
        let text = String(decoding: response.bytes, as: UTF8.self)
        return text.count > Self.shownLimit ? "\(text.prefix(Self.shownLimit))…" : text
    }
}
