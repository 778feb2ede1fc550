/// The names that a request's `desiredKeys` lists, prepared for comparison with stored bytes.
package struct DesiredKeys: Hashable, Sendable {
    /// As stored: UTF-8 with JSON's escapes.
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

    /// Whether a name, as stored, is listed.
    func contain(_ name: ArraySlice<UInt8>) -> Bool {
        names.contains(name)
    }
}
