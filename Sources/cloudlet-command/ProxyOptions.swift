import ArgumentParser
import CloudletServer
import Foundation

/// `--public-url URL` and `--trusted-proxy ADDRESS`.
struct ProxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address under which clients reach the server, such as https://cloud.example.org; default: "
                + "what each request names.",
            valueName: "url"))
    var publicUrl: String?

    @Option(
        help: ArgumentHelp(
            "The address of a proxy, or a range such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded says "
                + "where requests come from; may be repeated.",
            valueName: "address"))
    var trustedProxy: [String] = []

    /// What the flags say; several proxies are one text, as in a file of settings.
    var flags: [String: String?] {
        [
            "public-url": publicUrl,
            "trusted-proxy": trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ","),
        ]
    }

    /// Proxies in one text, with commas or spaces between them.
    static func proxies(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }
}
