import Foundation

/// The address of a server on this machine.
struct HTTPAddress: Hashable {
    var host: String
    var port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Nil unless `text` is an `http` URL with a port.
    init?(_ text: String) {
        guard let url = URLComponents(string: text), url.scheme == "http",
            let host = url.host, let port = url.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(host: host == "localhost" ? "127.0.0.1" : host, port: port)
    }
}
