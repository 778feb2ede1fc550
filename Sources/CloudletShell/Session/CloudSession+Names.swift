import Cloudlet
public import CommandShell
import Records
import RecordsWire

// The names for completion that come from the server and the session.
extension CloudSession {
    /// The maximum number of names that completion looks up.
    public static let candidateLimit = 60

    /// The candidates of a kind; empty if they are not available.
    ///
    /// - Parameter words: The values before it in the same command, such as the record type of a field.
    public func candidates(for kind: ValueKind, after words: [String]) async -> [Candidate] {
        switch kind {
        case .zone: return await zoneNames()
        case .database:
            let zones = await zoneNames().map { Candidate("private/\($0.text)", "a zone of your own") }
            return [
                Candidate("public", "what everybody sees"), Candidate("private", "your own default zone"),
            ] + zones
        case .field: return await fieldNames(of: words.first, isAssigned: false)
        case .fieldValue: return await fieldNames(of: words.first, isAssigned: true)
        case .record: return await recordNames(of: words.first)
        case .fault:
            return faultMarks.map { name in
                FaultKind.candidates.first { $0.text == name } ?? Candidate(name)
            }
        case .recordType:
            let types = (try? await server.recordTypes(in: place)) ?? []
            return types.map { Candidate($0.name, Answer.counted($0.ownFields.count, "field")) }
        case .subscription:
            let all = (try? await Subscriptions(container: container).all()) ?? []
            return all.map { Candidate($0.subscription.subscriptionID, "\($0.database)") }
        case .person: return await people()
        case .address:
            let known = account.flatMap { contacts[$0.person] } ?? []
            return known.flatMap { contact in
                (contact.emailAddresses + contact.phoneNumbers).map { Candidate($0, contact.identifier) }
            }
        case .device: return devices.sorted().map { Candidate($0, (profiles[$0] ?? .phone).rawValue) }
        default: return []
        }
    }

    /// The people who signed in at this shell, and all people if the operator's key is known.
    private func people() async -> [Candidate] {
        let here = knownAccounts.keys.map { Candidate($0, "signed in before") }
        let everybody = server.operatorKey == nil ? nil : try? await server.send(ListPeople()).elements
        let others = (everybody ?? []).filter { knownAccounts[$0.name] == nil }.map { person in
            Candidate(
                person.name, [person.givenName, person.familyName].compactMap(\.self).joined(separator: " "))
        }
        return (here + others).sorted { $0.text < $1.text }
    }

    /// The field names of a type in the schema, followed by `=` if a value must follow.
    private func fieldNames(of type: String?, isAssigned: Bool) async -> [Candidate] {
        guard let type else { return [] }
        let types = (try? await server.recordTypes(in: place)) ?? []
        let fields = types.first { $0.name == type }?.ownFields ?? []
        return fields.map { Candidate($0.name + (isAssigned ? "=" : ""), $0.type) }
    }

    /// The record names of a type in the current database; without a type, those of the last answers.
    private func recordNames(of type: String?) async -> [Candidate] {
        guard let type else { return recentRecords }
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        let records = RecordRepository(database: database, zone: zone)
        let found = (try? await records.find(type, where: nil, limit: Self.candidateLimit).records) ?? []
        return found.map { Candidate($0.recordID.recordName, $0["name"] as? String ?? "") }
    }

    private func zoneNames() async -> [Candidate] {
        let zones = (try? await container.privateCloudDatabase.allRecordZones()) ?? []
        return zones.map(\.zoneID.zoneName).filter { $0 != CKRecordZone.ID.defaultZoneName }.sorted()
            .map { Candidate($0) }
    }
}
