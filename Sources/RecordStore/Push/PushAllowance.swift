import Records

/// The number and size of the notifications that one person may still get from one commit for query
/// subscriptions.
///
/// Notifications are written in the transaction of the change, so all writers of the database wait until they
/// are written. The limits bound this time, because a person may have many subscriptions with long texts.
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

    /// Subtracts the notification of a draft from the allowance. Returns false if the rest is too small for
    /// it; the allowance is then used up. The first notification always fits.
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
        for text in [presentation.alert, presentation.title, presentation.subtitle] {
            bytes += (text.text?.utf8.count ?? 0) + (text.key?.utf8.count ?? 0)
            for argument in text.arguments { bytes += argument.utf8.count }
        }
        for text in [
            presentation.actionKey, presentation.launchImage, presentation.sound, presentation.category,
            presentation.collapseID,
        ] {
            bytes += text?.utf8.count ?? 0
        }
        if case .query(let record, _, let fields) = cause {
            bytes += record.name.utf8.count
            for field in fields.values { bytes += field.value.size }
        }
        return bytes
    }
}
