/// HTTP header lines in the order in which they are sent.
public struct CloudHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One header line.
    public struct Line: Hashable, Sendable {
        /// The name as written. Comparisons ignore upper and lower case.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a line from a name and a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All lines, repeated names included.
    public private(set) var lines: [Line]

    /// Creates headers from lines in their order.
    public init(_ lines: [Line] = []) {
        self.lines = lines
    }

    /// Creates headers from names and values in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { Line(name: $0.0, value: $0.1) }
    }

    /// The first value with this name, ignoring upper and lower case. Assigning replaces all values with the
    /// name; nil removes them.
    public subscript(name: String) -> String? {
        get { lines.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            lines.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { lines.append(Line(name: name, value: newValue)) }
        }
    }

    /// Appends a line and keeps existing lines with the same name.
    public mutating func add(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: value))
    }
}

extension CloudHeaders: Sequence {
    /// The lines in their order.
    public func makeIterator() -> [Line].Iterator {
        lines.makeIterator()
    }
}

extension String {
    /// Whether both strings are equal, ignoring the case of ASCII letters.
    fileprivate func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowered == $1.lowered }
    }
}

extension UInt8 {
    fileprivate var lowered: UInt8 {
        (65...90).contains(self) ? self | 0x20 : self
    }
}
