package import Records

/// Requests information about shares (`records/resolve`), or accepts them (`records/accept`).
package struct RecordsResolveRequest: WireRequest {
    /// One share.
    package struct Item: Hashable, Sendable {
        package var shortGUID: String
        /// Whether the answer contains the root of the share.
        package var wantsRoot: Bool
        /// The fields of the root to return; nil: all.
        package var rootKeys: [String]?

        package init(_ shortGUID: String, wantsRoot: Bool = false, rootKeys: [String]? = nil) {
            self.shortGUID = shortGUID
            self.wantsRoot = wantsRoot
            self.rootKeys = rootKeys
        }
    }

    package var items: [Item]

    package init(_ items: [Item]) {
        self.items = items
    }

    /// Accepts objects, as documented, and plain short GUIDs.
    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        var keys = 0
        items = try body.list(
            "shortGUIDs", atMost: limits.zonesPerRequest, next: "name them in several requests"
        ) { (node) throws(RecordError) in
            if let text = node.stringValue { return Item(text) }
            let dictionary = try node.object()
            var item = Item(
                try dictionary.required("value").string(),
                wantsRoot: try dictionary.flag("shouldFetchRootRecord"))
            guard let own = dictionary["rootRecordDesiredKeys"] else { return item }
            keys += own.elementCount
            try RecordError.check(
                keys, atMost: limits.keysPerRequest, "rootRecordDesiredKeys",
                next: "leave rootRecordDesiredKeys out to get all fields")
            item.rootKeys = try own.strings()
            return item
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("shortGUIDs", items) { $0.write(to: &$1) }
    }
}

extension RecordsResolveRequest.Item {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("value", shortGUID)
        json.flag("shouldFetchRootRecord", wantsRoot)
        json.member("rootRecordDesiredKeys", rootKeys)
        json.endObject()
    }
}
