#if Networking
internal import AsyncHTTPClient
import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import RecordsWire

extension CloudTransportError {
    /// Converts an error of the HTTP client or of a library below it.
    ///
    /// - Parameter mayNeedTLS: Whether the request was sent without TLS, and the server has not answered any
    ///   request yet.
    init(http error: any Error, mayNeedTLS: Bool = false) {
        switch error {
        case let error as CloudTransportError: self = error
        // A server that expects TLS closes the connection.
        case let error as HTTPClientError where error == .remoteConnectionClosed && mayNeedTLS:
            self = Self.closedWithoutTLS
        case let error as IOError where error.errnoCode == ECONNRESET && mayNeedTLS:
            self = Self.closedWithoutTLS
        case let error as HTTPClientError: self.init(client: error)
        case let error as IOError: self.init(errno: error.errnoCode)
        case let error as NIOConnectionError: self.init(connecting: error)
        case is NIOSSLError:
            self = .unreachable(
                "TLS failed; check that it uses https, and that its certificate has not expired and is "
                    + "trusted (shells: --trust-certificate FILE; apps: "
                    + "HTTPTransport(url:trustingCertificatesIn:))")
        case is NIOSSLExtraError:
            self = .unreachable(
                "its certificate is for another host name; use a host name that the certificate contains"
            )
        case is HTTPParserError: self = .connectionLost("the server's answer is not HTTP; check the address")
        default: self = .connectionLost("\(error)")
        }
    }

    private static let closedWithoutTLS = CloudTransportError.connectionLost(
        "the server closed the connection without an answer; if the server uses TLS, begin its address with "
            + "https")

    private init(client error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
        case .connectTimeout: self = .unreachable("it does not answer")
        case .tlsHandshakeTimeout: self = .unreachable("it does not answer over TLS")
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath: self = .badTarget("\(error)")
        case .remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled:
            self = .connectionLost("the server closed the connection")
        default:
            let text = error.shortDescription
            self = text == "Unsupported scheme" ? .badTarget("\(error)") : .unreachable(text)
        }
    }

    private init(connecting error: NIOConnectionError) {
        if let refusal = error.connectionErrors.first?.error as? IOError {
            self = .unreachable(Self.text(of: refusal.errnoCode))
        } else if let first = error.connectionErrors.first {
            self.init(http: first.error)
        } else if error.dnsAError != nil || error.dnsAAAAError != nil {
            self = .unreachable("the name \(error.host) is unknown")
        } else {
            self = .unreachable("no connection to \(error.host):\(error.port)")
        }
    }

    private init(errno code: CInt) {
        switch code {
        case ECONNRESET, EPIPE: self = .connectionLost("the server closed the connection")
        case ECONNREFUSED, ENOENT, ENETUNREACH, EHOSTUNREACH: self = .unreachable(Self.text(of: code))
        // The request may have reached the server, so the error must not be `unreachable`.
        default: self = .connectionLost(Self.text(of: code))
        }
    }

    private static func text(of code: CInt) -> String { String(cString: strerror(code)).lowercased() }
}
#endif
