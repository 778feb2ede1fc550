package import Records

// Common forms of calls. A type that conforms to one of these protocols receives its decoding and encoding.

/// A call without parameters and body.
package protocol BareCall: ServerCall {
    init()
}

extension BareCall {
    package init(reading request: CallReader) throws(RecordError) {
        self.init()
    }

    package func write(to request: inout CallWriter) {}
}

/// A call whose path names a container and an environment.
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

/// A call whose path contains one name.
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

/// Parameters that several calls share.
package protocol CallInput: Hashable, Sendable {
    init(reading request: CallReader) throws(RecordError)
    func write(to request: inout CallWriter)
}

/// A call with such shared parameters only.
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
