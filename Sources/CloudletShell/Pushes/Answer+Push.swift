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
                AnswerField("id", .text(subscription.subscriptionID)),
                AnswerField("database", .text("\(database)")),
                AnswerField("tellsOf", .text(words(for: subscription, in: database))),
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
            AnswerField("kind", .text("\(push.notificationType)")),
            AnswerField("subscription", Value(push.subscriptionID)),
        ]
        switch push {
        case let query as CKQueryNotification:
            fields += [
                AnswerField("what", .text("\(query.queryNotificationReason)")),
                AnswerField("record", Value(query.recordID?.recordName)),
                AnswerField("name", Value(query.recordFields?["name"] as? String)),
            ]
        case let zone as CKRecordZoneNotification:
            fields.append(AnswerField("zone", Value(zone.recordZoneID?.zoneName)))
        case let database as CKDatabaseNotification:
            fields.append(AnswerField("database", .text("\(database.databaseScope)")))
        default: break
        }
        fields += [
            AnswerField("text", Value(push.alertBody)),
            AnswerField("badge", push.badge.map { .count($0.intValue) } ?? .missing),
            AnswerField("isSilent", .flag(push.isSilent)),
        ]
        return Entry(fields)
    }

    /// The fields of a push that reached a device, with what the device did.
    static func entry(for arrived: PushInbox.Arrived) -> Entry {
        let (push, treatment) = arrived
        return Entry(
            entry(for: push).fields + [
                AnswerField("outcome", .text(treatment.outcome.rawValue)),
                AnswerField("shown", .texts(treatment.shown.map(\.rawValue))),
                AnswerField("reason", Value(treatment.reason)),
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
                AnswerField("number", .count(line.number)),
                AnswerField("subscription", .text(line.subscription)),
                AnswerField("device", Value(line.device)),
                AnswerField("outcome", .text(line.outcome.rawValue)),
                AnswerField("reason", Value(line.reason)),
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
