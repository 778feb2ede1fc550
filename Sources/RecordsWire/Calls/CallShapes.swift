package import Records

// The forms that several calls share. A call that conforms to one of these is read and written by it.

/// A call that says nothing beyond its endpoint.
package protocol BareCall: ServerCall {
    init()
}

extension BareCall {
    package init(reading request: CallReader) throws(RecordError) {
        self.init()
    }

    package func write(to request: inout CallWriter) {}
}

/// A call about one container in one environment, both of which the path names.
package protocol EnvironmentCall: ServerCall {
    var container: String { get }
    var environment: CloudEnvironment { get }

    init(of container: String, _ environment: CloudEnvironment)
}

extension EnvironmentCall {
    package init(reading request: CallReader) throws(RecordError) {
        self.init(of: try request.parameter("container"), try request.environment())
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
    }
}

/// A call about one thing whose name is a parameter of the path.
package protocol NamedCall: ServerCall {
    static var parameter: StaticString { get }
    var name: String { get }

    init(_ name: String)
}

extension NamedCall {
    package init(reading request: CallReader) throws(RecordError) {
        self.init(try request.parameter(Self.parameter))
    }

    package func write(to request: inout CallWriter) {
        request.parameter(Self.parameter, name)
    }
}

/// What several calls send alike.
package protocol CallInput: Hashable, Sendable {
    init(reading request: CallReader) throws(RecordError)
    func write(to request: inout CallWriter)
}

/// A call that sends such an input and nothing else.
package protocol InputCall: ServerCall {
    associatedtype Input: CallInput
    var input: Input { get }

    init(_ input: Input)
}

extension InputCall {
    package init(reading request: CallReader) throws(RecordError) {
        self.init(try Input(reading: request))
    }

    package func write(to request: inout CallWriter) {
        input.write(to: &request)
    }
}
