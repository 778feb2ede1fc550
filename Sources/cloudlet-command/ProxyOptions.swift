import ArgumentParser
import CloudletServer
import Foundation

/// `--public-url URL` and `--trusted-proxy ADDRESS`.
struct ProxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address under which clients reach the server, such as https://cloud.example.org; default: "
                + "the address in each request.",
            valueName: "url"))
    var publicUrl: String?

    @Option(
        help: ArgumentHelp(
            "The address of a proxy, or a range such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded "
                + "header names the client of each request; may be repeated, and takes several, separated by "
                + "commas, also as a setting.",
            valueName: "address"))
    var trustedProxy: [String] = []

    func validate() throws {
        guard trustedProxy.contains(where: { Self.proxies($0).isEmpty }) else { return }
        throw ValidationError(
            "--trusted-proxy takes the address of a proxy, such as 127.0.0.1, but its value is empty.")
    }

    /// The values of the flags. Several proxies are joined by commas, as in a configuration file.
    var flags: [String: String?] {
        [
            "public-url": publicUrl,
            "trusted-proxy": trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ","),
        ]
    }

    /// Splits a list of proxies at commas and spaces.
    static func proxies(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }
}
