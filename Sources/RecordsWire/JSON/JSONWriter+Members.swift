extension JSONWriter {
    /// Writes a string member, unless the value is nil.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes an integer member, unless the value is nil.
    package mutating func member(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        integer(number)
    }

    /// Writes a number member, unless the value is nil.
    package mutating func member(_ name: StaticString, _ number: Double?) {
        guard let number else { return }
        key(name)
        double(number)
    }

    /// Writes a boolean member, unless the value is nil.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bool(value)
    }

    /// Writes a member with the value `true`, or nothing for false.
    package mutating func flag(_ name: StaticString, _ value: Bool) {
        if value { member(name, true) }
    }

    /// Writes a member with an array of strings, unless the value is nil.
    package mutating func member(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// Writes a base64 member, unless the value is nil.
    package mutating func member(_ name: StaticString, base64 bytes: [UInt8]?) {
        guard let bytes else { return }
        key(name)
        base64(bytes)
    }

    /// Writes a string without a comma before it.
    mutating func continuingString(_ text: String) {
        continues()
        string(text)
    }
}
