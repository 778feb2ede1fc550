import Records

extension Subscription {
    /// Throws `limitExceeded` when the texts, keys and arguments of the subscription have too many bytes in
    /// total: they are stored with each notification, and sent with each push.
    func checkSize(_ limits: Limits) throws(RecordError) {
        let parts = parts
        let total = parts.reduce(0) { $0 + $1.bytes }
        guard total > limits.subscriptionBytes, let longest = parts.max(by: { $0.bytes < $1.bytes }) else {
            return
        }
        throw RecordError(
            .limitExceeded,
            "the texts, keys and arguments of the subscription take up more than \(limits.subscriptionBytes) "
                + "bytes",
            culprit: id,
            nextStep: "shorten \(longest.name), which has \(longest.bytes) of \(total) bytes"
        )
    }

    /// The parts of the subscription whose length the client chooses.
    private var parts: [(name: String, bytes: Int)] {
        var parts = info?.parts ?? []
        switch kind {
        case .query(let terms):
            parts.append(("recordType", terms.query.recordType.utf8.count))
            parts.append(("zoneID", terms.zone?.name.utf8.count ?? 0))
            for filter in terms.query.filters {
                parts.append(
                    (filter.name, filter.name.utf8.count + filter.value.size + filter.value.zoneSize))
            }
        case .zone(let zone, let type):
            parts.append(("zoneID", zone.name.utf8.count))
            parts.append(("recordType", type?.utf8.count ?? 0))
        case .database(let type): parts.append(("recordType", type?.utf8.count ?? 0))
        }
        return parts
    }
}

extension NotificationInfo {
    fileprivate var parts: [(name: String, bytes: Int)] {
        let texts: [(String, String?)] = [
            ("alertBody", alert.text), ("alertLocalizationKey", alert.key), ("title", title.text),
            ("titleLocalizationKey", title.key), ("subtitle", subtitle.text),
            ("subtitleLocalizationKey", subtitle.key), ("alertActionLocalizationKey", actionKey),
            ("alertLaunchImage", launchImage), ("soundName", sound), ("category", category),
            ("collapseIDKey", collapseKey),
        ]
        let lists: [(String, [String])] = [
            ("alertLocalizationArgs", alert.arguments), ("titleLocalizationArgs", title.arguments),
            ("subtitleLocalizationArgs", subtitle.arguments), ("additionalFields", additionalFields),
        ]
        // An element counts as at least eight bytes, about the overhead of its JSON.
        return texts.map { name, text in (name, text?.utf8.count ?? 0) }
            + lists.map { name, list in (name, list.reduce(0) { $0 + max(8, $1.utf8.count) }) }
    }
}

extension Filter {
    fileprivate var name: String { key?.displayName ?? "filterBy" }
}

extension FieldValue {
    /// Bytes of the zone names and owners in the references of the value.
    fileprivate var zoneSize: Int {
        elements.reduce(0) { sum, element in
            guard case .reference(let reference) = element, let zone = reference.zone else { return sum }
            return sum + zone.name.utf8.count + (zone.owner?.utf8.count ?? 0)
        }
    }
}
