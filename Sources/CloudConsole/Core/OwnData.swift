import CloudService
import Records
import RecordsWire

/// The part of a person's own data that a page shows: a database, and optionally one of its zones.
struct OwnPlace: Hashable, Sendable {
    /// The private database, or the records that others share with the person.
    var scope: DatabaseKind
    /// The zone; nil for all zones of the private database.
    var zone: ZoneID?

    init(_ query: FormFields) {
        scope = query["database"] == DatabaseKind.shared.rawValue ? .shared : .private
        let owner = query.text("owner").flatMap(ZoneID.meantOwner)
        // An owner without a zone means the owner's default zone.
        let name = query.text("zone") ?? owner.map { _ in ZoneID.defaultName }
        zone = name.map { ZoneID(name: $0, owner: owner) }
    }

    init(_ scope: DatabaseKind, _ zone: ZoneID? = nil) {
        self.scope = scope
        self.zone = zone
    }

    /// The place of a record that a query in this place has found, or of one to which it refers. References
    /// of shared records lead to the same zone.
    func place(of record: Record, zone other: ZoneID?) -> OwnPlace {
        scope == .shared ? self : OwnPlace(scope, ZoneID(name: (other ?? record.id.zone).name))
    }

    /// The fields for the address of a page about this place.
    var address: [(String, String)] {
        var fields = [("database", scope.rawValue)]
        if let zone {
            fields.append(("zone", zone.name))
            if let owner = zone.owner { fields.append(("owner", owner)) }
        }
        return fields
    }
}

extension ScreenRequest {
    /// The caller for the person as whom the operator has signed in on the page "My private data"; nil if the
    /// operator has not, or the session has ended. Pages read private data with this caller only.
    func ownCaller() async throws -> Caller? {
        let place = try container()
        guard let token = service.operators.person(in: place.container, place.environment, for: token) else {
            return nil
        }
        do {
            let caller = try await service.credentials.person(
                for: token, container: place.container, environment: place.environment)
            if let next = caller.nextToken, next != token {
                service.operators.setPerson(next, in: place.container, place.environment, for: self.token)
            }
            return caller
        } catch let error as RecordError where error.code != .internalError {
            return nil
        }
    }
}
