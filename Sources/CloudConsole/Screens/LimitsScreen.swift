import CloudHTTP
import CloudService
import Records

/// The limits of the server, as it publishes them.
struct LimitsScreen: Screen {
    static let title = "Limits"

    private struct View: Sendable {
        struct Row: Sendable {
            var limitName: String
            var value: String
        }

        struct Quotas: Sendable {
            var sizes: [Row]
        }

        var rows: [Row]
        var rates: [Row]
        /// nil if the size of data is not limited.
        var quotas: Quotas?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let limits = request.service.limits
        let rates: [(String, RequestRate?)] = [
            ("one person", limits.personRate), ("one address", limits.addressRate),
            ("one app", limits.appRate), ("one container", limits.containerRate),
        ]
        let view = View(
            rows: Limits.published.map {
                View.Row(limitName: "\($0.name)", value: String($0.value(in: limits)))
            },
            rates: rates.map { name, rate in
                View.Row(
                    limitName: name,
                    value: rate.map { "\($0.requests) requests in \($0.seconds) s" } ?? "no limit")
            },
            quotas: limits.quota.map { quota in
                View.Quotas(
                    sizes: QuotaRules.published.map {
                        View.Row(limitName: "\($0.name)", value: String(quota[keyPath: $0.path]))
                    })
            })
        return PageContent(heading: Self.title, html: try Page.html(ServerTemplate.limits, view))
    }
}
