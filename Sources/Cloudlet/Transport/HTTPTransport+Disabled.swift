#if !Networking
public import Foundation
public import RecordsWire

/// Replaces the HTTP transport in a build without the package trait `Networking`: every request fails with
/// `CloudTransportError.unreachable`, which names the trait.
public struct HTTPTransport: CloudTransport {
    /// Has no effect in this build.
    public var acceptsCompression = false

    /// Creates a transport that cannot send.
    public init(url: URL) {}

    /// Creates a transport that cannot send.
    public init(url: URL, trustingCertificatesIn file: URL) throws {}

    /// Creates a transport that cannot send.
    package init(url: URL, trustingExactly certificate: [UInt8]) throws {}

    /// Always throws `CloudTransportError.unreachable`.
    public func send(_ request: CloudRequest) async throws -> CloudResponse {
        throw CloudTransportError.unreachable(
            "this program was built without an HTTP client; build it with the package trait Networking")
    }
}
#endif
