import Cloudlet
import Foundation

extension PartyFilter {
    /// The query for the server. The server answers every condition from an index.
    var query: CKQuery {
        let query = CKQuery(recordType: Party.recordType, predicate: predicate)
        query.sortDescriptors = sortDescriptors
        return query
    }

    private var predicate: NSPredicate {
        var conditions: [String] = []
        var arguments: [Any] = []
        if let near, let within {
            conditions.append("distanceToLocation:fromLocation:(\(Party.Key.location), %@) <= %@")
            arguments += [CLLocation(near), NSNumber(value: within)]
        }
        if let after {
            conditions.append("\(Party.Key.starts) >= %@")
            arguments.append(after as NSDate)
        }
        for word in (search ?? "").split(whereSeparator: \.isWhitespace) {
            conditions.append("self CONTAINS %@")
            arguments.append(String(word) as NSString)
        }
        if conditions.isEmpty { return NSPredicate(value: true) }
        return NSPredicate(format: conditions.joined(separator: " AND "), argumentArray: arguments)
    }

    private var sortDescriptors: [NSSortDescriptor] {
        let byName = NSSortDescriptor(key: Party.Key.name, ascending: true)
        switch order {
        case .name:
            return [byName]
        case .date, .upcoming:
            return [NSSortDescriptor(key: Party.Key.starts, ascending: !isLatestFirst), byName]
        case .distance:
            guard let near else { return [byName] }
            return [CKLocationSortDescriptor(key: Party.Key.location, relativeLocation: CLLocation(near))]
        }
    }
}

extension CLLocation {
    fileprivate convenience init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}
