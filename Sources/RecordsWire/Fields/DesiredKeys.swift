/// The field names in a request's `desiredKeys`, encoded for comparison with stored bytes.
package struct DesiredKeys: Hashable, Sendable {
    /// The names in stored form: UTF-8 with JSON escapes.
    private let names: Set<ArraySlice<UInt8>>

    package init(_ names: some Sequence<String>) {
        self.names = Set(
            names.map { name in
                var json = JSONWriter(capacity: name.utf8.count + 2)
                json.string(name)
                return json.bytes[1..<json.bytes.count - 1]
            }
        )
    }

    /// Whether the list contains a name in stored form.
    func contain(_ name: ArraySlice<UInt8>) -> Bool {
        names.contains(name)
    }
}
