import RecordStore
import Records

/// An operation on both stores. Its description is computed only on demand.
enum DiaryEntry: CustomStringConvertible {
    case commit(WriteBatch)
    case query(QueryPlan)
    case changes(ChangesRequest)
    case other(String)

    var description: String {
        switch self {
        case .commit(let batch):
            "commit \(batch.zone)\(batch.isAtomic ? " atomic" : "") at \(batch.stamp.at.milliseconds) "
                + "by \(batch.stamp.by): " + batch.operations.map(Self.text).joined(separator: "; ")
        case .query(let plan):
            "query \(plan.recordType) in \(plan.zone ?? "all zones") limit \(plan.limit) where "
                + plan.filters.map(Self.text).joined(separator: " and ")
                + " by \(plan.order.map { "\($0.key) \($0.ascending ? "up" : "down")" })"
                + (plan.cursor.map { " after \($0.values)" } ?? "")
        case .changes(let request):
            "changes \(request.zone)\(request.isReversed ? " reversed" : "") limit \(request.limit)"
                + (request.since == nil ? "" : " since a token")
        case .other(let text): text
        }
    }

    private static func text(_ operation: RecordOperation) -> String {
        var text = "\(operation.kind) \(operation.recordName ?? "-") \(operation.recordType ?? "-")"
        if let tag = operation.changeTag { text += " tag \(tag.text)" }
        for (name, field) in operation.fields { text += " \(name)=\(Self.text(field.value))" }
        if !operation.removedFields.isEmpty { text += " without \(operation.removedFields)" }
        if operation.parent != .keep { text += " parent \(operation.parent)" }
        return text
    }

    private static func text(_ filter: Filter) -> String {
        "\(filter.key?.displayName ?? "*") \(filter.comparator.rawValue) \(text(filter.value))"
            + (filter.distance.map { " within \($0)" } ?? "")
    }

    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .string(let text): "'\(text)'"
        case .int64(let integer): "\(integer)"
        case .double(let real): "\(real)"
        case .timestamp(let time): "@\(time.milliseconds)"
        case .bytes(let bytes): "\(bytes)"
        case .reference(let reference):
            "->\(reference.zone.map { $0.name + "/" } ?? "")\(reference.recordName) \(reference.action)"
        case .asset(let asset): "file \(asset.fileChecksum)"
        case .location(let place): "(\(place.latitude) \(place.longitude))"
        case .list(_, let values): "[\(values.map(text).joined(separator: ", "))]"
        }
    }
}
