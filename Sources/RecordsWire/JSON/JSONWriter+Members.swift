extension JSONWriter {
    /// A member whose value is a string; nothing when there is none.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// A member whose value is a whole number; nothing when there is none.
    package mutating func member(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        integer(number)
    }

    /// A member whose value is a number; nothing when there is none.
    package mutating func member(_ name: StaticString, _ number: Double?) {
        guard let number else { return }
        key(name)
        double(number)
    }

    /// A member whose value is a truth value; nothing when there is none.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bool(value)
    }

    /// A member that is `true`, and absent otherwise.
    package mutating func flag(_ name: StaticString, _ value: Bool) {
        if value { member(name, true) }
    }

    /// A member whose value is a list of strings; nothing when there is none.
    package mutating func member(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// A member whose value is base64; nothing when there are no bytes.
    package mutating func member(_ name: StaticString, base64 bytes: [UInt8]?) {
        guard let bytes else { return }
        key(name)
        base64(bytes)
    }

    /// A string that continues what stands before it.
    mutating func continuingString(_ text: String) {
        continues()
        string(text)
    }
}
