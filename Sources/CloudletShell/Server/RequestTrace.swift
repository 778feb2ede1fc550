import CommandShell
import Foundation

/// A request and its result.
struct RequestTrace: Equatable, Sendable {
    /// The endpoint, such as `records/query`.
    let endpoint: String
    /// The status of the answer; nil if there was none.
    let status: Int?
    let sentBytes: Int
    let receivedBytes: Int

    /// The request in one line: as text, or as a JSON object.
    func line(isJSON: Bool) -> String {
        if isJSON {
            return [
                AnswerField("request", .text(endpoint)),
                AnswerField("status", status.map(Value.count) ?? .missing),
                AnswerField("sent", .bytes(sentBytes)), AnswerField("received", .bytes(receivedBytes)),
            ].jsonText
        }
        let sizes = "\(Value.bytesText(sentBytes)) sent, \(Value.bytesText(receivedBytes)) received"
        return "\(endpoint)  \(status.map(String.init) ?? "no answer")  \(sizes)"
    }
}
