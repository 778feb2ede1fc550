import Foundation

extension Value {
    var json: JSONValue {
        switch self {
        case .missing: .null
        case .text(let text): .string(text)
        case .flag(let flag): .bool(flag)
        case .count(let count), .bytes(let count): .integer(count)
        case .distance(let metres): .number((metres * 10).rounded() / 10)
        case .moment(let moment): .string(MomentText.iso(moment))
        case .location(let location):
            .object([("latitude", .number(location.latitude)), ("longitude", .number(location.longitude))])
        case .pixels, .picture: pictureFields.json
        case .fields(let fields): fields.json
        case .share(let share), .bar(let share): .number((share * 1000).rounded() / 1000)
        case .texts(let texts): .array(texts.map(JSONValue.string))
        }
    }
}

extension [AnswerField] {
    /// The fields as a JSON object on one line, in their order.
    public var jsonText: String { json.text }

    /// The fields as a JSON object, in their order.
    var json: JSONValue {
        .object(map { ($0.name, $0.value.json) })
    }
}
