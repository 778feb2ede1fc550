import CommandShell
import Foundation

/// A request, and what came of it.
struct AnsweredRequest: Equatable, Sendable {
    /// What it asked for, `records/query` for example.
    let endpoint: String
    /// The status of the answer; nothing when there was none.
    let status: Int?
    let sentBytes: Int
    let receivedBytes: Int

    /// The line about it: for people, or an object for programs.
    func line(isJSON: Bool) -> String {
        if isJSON {
            return [
                Field("request", .text(endpoint)), Field("status", status.map(Value.count) ?? .missing),
                Field("sent", .bytes(sentBytes)), Field("received", .bytes(receivedBytes)),
            ].jsonText
        }
        let sizes = "\(Value.bytesText(sentBytes)) sent, \(Value.bytesText(receivedBytes)) received"
        return "\(endpoint)  \(status.map(String.init) ?? "no answer")  \(sizes)"
    }
}
