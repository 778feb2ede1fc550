import CloudConsole
import CloudHTTP
import CloudService
import Foundation
import Records
import ServerData

extension ServerConfiguration {
    /// The origin of `publicURL`. Throws `proxySettingsUnusable` for an address that has more parts than an
    /// origin.
    func publicOrigin() throws(ServerError) -> String? {
        guard let publicURL else { return nil }
        if let origin = try? CallbackRules.origins([publicURL]).first { return origin }
        throw ServerError(
            .proxySettingsUnusable, "the public address \(publicURL) cannot be used",
            nextStep: "give scheme, host and perhaps port, such as https://cloud.example.org"
        )
    }

    /// The trusted proxies. Throws `proxySettingsUnusable` for a text that is not a network address.
    func proxies() throws(ServerError) -> TrustedProxies {
        var ranges: [AddressRange] = []
        for text in trustedProxies {
            guard let range = AddressRange(text) else {
                throw ServerError(
                    .proxySettingsUnusable, "the trusted proxy \(text) is not a network address",
                    nextStep: "give one such as 127.0.0.1, or a range such as 10.0.0.0/8"
                )
            }
            ranges.append(range)
        }
        return TrustedProxies(ranges)
    }

    /// The checked URL of the app's web page. Throws `fallbackUnusable` for a text that is not the URL of a
    /// page.
    func checkedFallbackURL() throws(ServerError) -> String? {
        guard let fallbackURL else { return nil }
        if let url = try? CallbackRules.fallback(fallbackURL) { return url }
        throw ServerError(
            .fallbackUnusable, "the fallback URL \(fallbackURL) cannot be used",
            nextStep: "give an address such as https://app.example/open/; the short GUID of a share follows")
    }

    /// The responder that answers requests.
    func responder(
        _ service: CloudService, _ publicOrigin: String?, _ proxies: TrustedProxies, _ key: OperatorKey,
        obstacle: @escaping @Sendable () -> RecordError?
    ) -> CloudResponder {
        CloudResponder(
            service, publicURL: publicOrigin, scheme: certificate == nil ? "http" : "https",
            rules: entryRules(publicOrigin), proxies: proxies, operatorKey: key, obstacle: obstacle,
            console: console(service), logger: logger, loggedAddresses: loggedAddresses,
            observers: (countsRequests ? [service.telemetry] : []) + [service.alerts] + observers)
    }

    /// The pages of the console; nil for a server without one.
    private func console(_ service: CloudService) -> PageHandler? {
        let isFree = isOpen && !isReachable
        if console == .off || (console == .automatic && !isFree) { return nil }
        let pages = Console(service, access: isFree ? .open : .signIn)
        return { await pages.answer($0) }
    }

    /// The rules for which requests from the network are answered.
    private func entryRules(_ publicOrigin: String?) -> EntryRules {
        guard isOpen, port != nil else { return EntryRules() }
        return EntryRules(open: OpenServerRules(listeningOn: host, publicURL: publicOrigin))
    }
}
