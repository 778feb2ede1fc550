import Cloudlet
import CommandShell
import Foundation
import Records

extension Answer {
    static func subscriptions(
        _ all: [(database: CKDatabase.Scope, subscription: CKSubscription)]
    ) -> Answer {
        let entries = all.map { database, subscription in
            Entry([
                Field("id", .text(subscription.subscriptionID)), Field("database", .text("\(database)")),
                Field("tellsOf", .text(words(for: subscription, in: database))),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("ID", "id"), Column("DATABASE", "database"),
                Column("TELLS OF", "tellsOf", isFlexible: true),
            ],
            whenEmpty: "there are no subscriptions; try: subscribe everything --silent")
    }

    private static func words(
        for subscription: CKSubscription, in database: CKDatabase.Scope
    ) -> String {
        switch subscription {
        case let query as CKQuerySubscription:
            let once = query.querySubscriptionOptions.contains(.firesOnce) ? ", once" : ""
            let condition = (query.predicate as? CKFormatPredicate)?.predicateFormat ?? "?"
            let zone = query.zoneID.map { " in zone \($0.zoneName)" } ?? ""
            let type = "\(query.recordType ?? "?")\(zone)"
            return (condition == "TRUEPREDICATE" ? "every \(type)" : "\(type) where \(condition)") + once
        case let zone as CKRecordZoneSubscription: return "zone \(zone.zoneID.zoneName)"
        default: return database == .shared ? "everything that others share" : "every zone"
        }
    }

    /// The fields of a push or of an entry in the notification collection.
    static func entry(for push: CKNotification) -> Entry {
        var fields = [
            Field("kind", .text("\(push.notificationType)")),
            Field("subscription", Value(push.subscriptionID)),
        ]
        switch push {
        case let query as CKQueryNotification:
            fields += [
                Field("what", .text("\(query.queryNotificationReason)")),
                Field("record", Value(query.recordID?.recordName)),
                Field("name", Value(query.recordFields?["name"] as? String)),
            ]
        case let zone as CKRecordZoneNotification:
            fields.append(Field("zone", Value(zone.recordZoneID?.zoneName)))
        case let database as CKDatabaseNotification:
            fields.append(Field("database", .text("\(database.databaseScope)")))
        default: break
        }
        fields += [
            Field("text", Value(push.alertBody)),
            Field("badge", push.badge.map { .count($0.intValue) } ?? .missing),
            Field("isSilent", .flag(push.isSilent)),
        ]
        return Entry(fields)
    }

    /// The fields of a push that reached a device, with what the device did.
    static func entry(for arrived: PushInbox.Arrived) -> Entry {
        let (push, treatment) = arrived
        return Entry(
            entry(for: push).fields + [
                Field("outcome", .text(treatment.outcome.rawValue)),
                Field("shown", .texts(treatment.shown.map(\.rawValue))),
                Field("reason", Value(treatment.reason)),
            ])
    }

    static func notifications(_ all: [CKNotification]) -> Answer {
        Answer(
            form: .list, entries: all.map { entry(for: $0) },
            columns: [
                Column("KIND", "kind"), Column("SUBSCRIPTION", "subscription"), Column("RECORD", "record"),
                Column("ZONE", "zone"), Column("TEXT", "text", isFlexible: true),
            ],
            whenEmpty: "no notifications since this device fetched last")
    }

    /// A push in one line, as a device would show it.
    static func words(for push: CKNotification) -> String {
        var words = [push.alertBody ?? "silent push"]
        switch push {
        case let query as CKQueryNotification:
            let name = query.recordFields?["name"] as? String
            words.append(
                "\(query.queryNotificationReason.verb) \(name ?? query.recordID?.recordName ?? "")")
        case let zone as CKRecordZoneNotification: words.append("zone \(zone.recordZoneID?.zoneName ?? "")")
        default: words.append("\(push.notificationType)")
        }
        if let badge = push.badge { words.append("badge \(badge)") }
        return words.joined(separator: ", ")
    }

    static func pushTrace(_ trace: [PushTraceEntry]) -> Answer {
        let entries = trace.map { line in
            Entry([
                Field("number", .count(line.number)), Field("subscription", .text(line.subscription)),
                Field("device", Value(line.device)), Field("outcome", .text(line.outcome.rawValue)),
                Field("reason", Value(line.reason)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("NUMBER", "number"), Column("SUBSCRIPTION", "subscription"),
                Column("DEVICE", "device"),
                Column("OUTCOME", "outcome"), Column("REASON", "reason", isWrapped: true),
            ],
            whenEmpty: "there are no pushes to this person")
    }
}

extension CKQueryNotification.Reason {
    /// The change in one word, as a person reads it.
    fileprivate var verb: String {
        switch self {
        case .recordCreated: "created"
        case .recordUpdated: "changed"
        case .recordDeleted: "deleted"
        }
    }
}
