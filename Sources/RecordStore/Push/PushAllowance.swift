import Records

/// What one person may still get of the notifications that a commit makes for query subscriptions.
///
/// Notifications are written in the transaction of the change, so all writers of the database wait until they
/// are written. A person chooses the number and the texts of own subscriptions, but not how long others wait.
struct PushAllowance {
    /// Whether the person gets no further notification from the commit.
    private(set) var isUsedUp = false
    private var count: Int
    private var bytes: Int
    private var isFirst = true

    init(_ limits: Limits) {
        count = limits.pushesPerCommit
        bytes = limits.pushBytesPerCommit
    }

    /// Takes the notification of a draft out of the allowance. Returns false if the rest is too small for it,
    /// which uses it up. The first notification always fits.
    mutating func takes(_ draft: PushDraft) -> Bool {
        let size = draft.notification.textBytes
        isUsedUp = count <= 0 || !isFirst && size > bytes
        if isUsedUp { return false }
        isFirst = false
        count -= 1
        bytes -= size
        isUsedUp = count == 0
        return true
    }
}

extension PushNotification {
    /// Bytes of the texts and fields of the notification.
    fileprivate var textBytes: Int {
        var bytes = subscriptionID.utf8.count
        for text in [look.alert, look.title, look.subtitle] {
            bytes += (text.text?.utf8.count ?? 0) + (text.key?.utf8.count ?? 0)
            for argument in text.arguments { bytes += argument.utf8.count }
        }
        for text in [look.actionKey, look.launchImage, look.sound, look.category, look.collapseID] {
            bytes += text?.utf8.count ?? 0
        }
        if case .query(let record, _, let fields) = cause {
            bytes += record.name.utf8.count
            for field in fields.values { bytes += field.value.size }
        }
        return bytes
    }
}
