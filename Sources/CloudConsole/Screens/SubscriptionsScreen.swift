import CloudHTTP
import CloudService
import Records

/// The person's own subscriptions in the public, the private and the shared database. Other people's
/// subscriptions are not shown.
struct SubscriptionsScreen: Screen {
    static let title = "My subscriptions"

    private struct View: Sendable {
        struct Row: Sendable {
            var database: String
            var id: String
            var firesOn: String
            var push: String
        }

        var person: String?
        var ownHref: String
        var rows: [Row] = []
        var pages: [PageLink] = []
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        var view = View(ownHref: place.path("own"))
        if let caller = try await request.ownCaller(), let person = caller.userRecordName {
            view.person = person
            var all: [(scope: DatabaseKind, subscription: Subscription)] = []
            for scope in DatabaseKind.allCases {
                all += try await request.service.pushes.subscriptions(in: scope, by: caller).map {
                    (scope, $0)
                }
            }
            let slice = ListSlice(all, from: request.query["from"], size: 40)
            var budget = PageTextBudget(bytes: 40_000)
            view.rows = slice.elements.map { scope, subscription in
                View.Row(
                    database: scope.rawValue, id: budget.shortened(subscription.id, bytes: 200),
                    firesOn: budget.shortened(subscription.kind.words, bytes: 500),
                    push: budget.shortened(subscription.pushWords, bytes: 300))
            }
            view.pages = slice.links(place.path("subscriptions"))
        }
        return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.subscriptions, view))
    }
}

extension Subscription {
    /// How the pushes look, in words.
    fileprivate var pushWords: String {
        guard let info else { return "silent" }
        return info.alert.text ?? info.alert.key ?? "without a text"
    }
}

extension Subscription.Kind {
    /// The changes that fire the subscription, in words.
    fileprivate var words: String {
        switch self {
        case .query(let terms):
            let events = terms.firesOn.sorted { $0.rawValue < $1.rawValue }.map(\.words)
            let filters = terms.query.filters.count
            let condition =
                filters == 0 ? "" : " with \(filters) \(filters == 1 ? "condition" : "conditions")"
            let zone = terms.zone.map { " in the zone \($0.name)" } ?? ""
            return "\(terms.query.recordType)\(condition)\(zone): \(events.joined(separator: ", "))"
                + (terms.firesOnce ? ", once" : "")
        case .zone(let zone, let type):
            return "any change in the zone \(zone.name)" + (type.map { " to \($0)" } ?? "")
        case .database(let type):
            return "any change in any zone" + (type.map { " to \($0)" } ?? "")
        }
    }
}

extension Subscription.Event {
    fileprivate var words: String {
        switch self {
        case .create: "created"
        case .update: "changed"
        case .delete: "deleted"
        }
    }
}
