import Records
import RecordsWire
import Testing

@Suite("Pruning of pushes")
struct PushPruningTests {
    private static let message: PushMessage = {
        var presentation = PushPresentation()
        presentation.alert = PushPresentation.Text("alert", key: "alert-key", arguments: ["argument"])
        presentation.title = PushPresentation.Text("title")
        presentation.subtitle = PushPresentation.Text("subtitle")
        (presentation.actionKey, presentation.launchImage, presentation.sound, presentation.category) = (
            "action", "image", "sound", "cat"
        )
        (presentation.raisesBadge, presentation.isContentAvailable) = (true, true)
        let notification = PushNotification(
            id: "id", subscriptionID: "s",
            cause: .query(
                RecordID(name: "record"), .create, fields: ["n": Field(.int64(1))]),
            presentation: presentation, origin: Stamp(at: Timestamp(milliseconds: 1), by: "_a"))
        return PushMessage(
            container: "container", environment: .development, user: "_user", database: .public,
            notification: notification, badge: 3)
    }()

    /// The parts that may be removed from a payload, as they appear in its JSON.
    private static let marks = [
        "\"subtitle\":", "\"title\":", "\"ckuserid\":", "\"cid\":", "\"rid\":", "\"content-available\":",
        "\"launch-image\":", "\"action-loc-key\":", "\"category\":", "\"sound\":", "\"loc-args\":",
        "\"body\":", "\"badge\":", "\"nid\":",
    ]

    @Test("The smaller the limit, the more parts are removed, the least important first")
    func order() throws {
        let whole = Self.message.encoded()
        #expect(!String(decoding: whole, as: UTF8.self).contains("\"p\":"))
        var gone: [String] = []
        var limit = whole.count
        while limit > 0 {
            let bytes = Self.message.encoded(limit: limit)
            let text = String(decoding: bytes, as: UTF8.self)
            let missing = Self.marks.filter { !text.contains($0) }
            #expect(missing.starts(with: gone))
            #expect(text.contains("\"p\":1") == !missing.isEmpty)
            #expect(text.contains("\"sid\":\"s\""))
            gone = missing
            if missing.count == Self.marks.count { break }
            #expect(bytes.count <= limit)
            limit = bytes.count - 1
        }
        #expect(gone == Self.marks)
    }

    @Test("A pruned push can be decoded, and is marked as pruned")
    func read() throws {
        let bytes = Self.message.encoded(limit: 200)
        let message = try PushMessage(bytes: bytes)
        #expect(message.isPruned)
        #expect(message.notification.subscriptionID == "s")
        #expect(message.notification.id == "id")
    }
}
