// Owns looking up the names that only the database and the session know, for completion.
import Cloudlet
import Foundation

extension Interpreter {
    /// How many names completion looks up at most.
    private static let nameLimit = 60

    /// The names of a kind that begin with what is typed; none when they cannot be had.
    func names(of kind: ValueKind, beginningWith typed: String) async -> [Candidate] {
        switch kind {
        case .party:
            return await names(typed, on: parties.shelf) { party in
                let details = [party.starts.map(MomentText.short), party.place].compactMap { $0 }
                return Candidate(party.name, details.joined(separator: ", "))
            }
        case .clown:
            return await names(typed, on: clowns.shelf) { Candidate($0.name, $0.act ?? "") }
        case .photo:
            return await names(typed, on: photos.shelf) { Candidate($0.name, Value.pixels($0.size).text) }
        case .note:
            let notes = (try? await personal().repository.notes().models) ?? []
            // Its beginning finds a note of several lines.
            return notes.map { note in
                Candidate(String(note.text.prefix { !$0.isNewline }), note.partyName ?? "")
            }
        case .receipt:
            let receipts = (try? await personal().repository.receipts().models) ?? []
            return receipts.map { Candidate($0.shop, MomentText.short($0.date)) }
        case .shoebox:
            let boxes = (try? await personal().repository.shoeboxes().models) ?? []
            return boxes.map { Candidate($0.name) }
        default: return await otherNames(of: kind)
        }
    }

    /// Those that no repository of the app's models has.
    private func otherNames(of kind: ValueKind) async -> [Candidate] {
        switch kind {
        case .favourite:
            return tools.favourites.load().sorted { $0.key < $1.key }.map { Candidate($0.key, $0.value) }
        case .zone: return await zoneNames()
        case .database:
            let zones = await zoneNames().map { Candidate("private/\($0.text)", "a zone of your own") }
            return [
                Candidate("public", "what everybody sees"), Candidate("private", "your own default zone"),
            ] + zones
        case .field(let type, let isAssigned): return await fieldNames(of: type, isAssigned: isAssigned)
        case .record(let type): return await recordNames(of: type)
        case .fault:
            return session.faultMarks.map { name in
                FaultRequest.candidates.first { $0.text == name } ?? Candidate(name)
            }
        case .recordType: return await recordTypeNames()
        case .subscription:
            let all = (try? await SubscriptionRepository(container: container).all()) ?? []
            return all.map { Candidate($0.subscription.subscriptionID, "\($0.database)") }
        case .person: return await people()
        case .device:
            return session.devices.sorted().map { Candidate($0, (session.profiles[$0] ?? .phone).rawValue) }
        case .seedSet:
            guard let folder = try? tools.seedFolder.get() else { return [] }
            return SeedSet.names(in: folder).map { Candidate($0) }
        default: return []
        }
    }

    /// Whoever signed in at this shell; where the server's operator can be asked, everybody.
    private func people() async -> [Candidate] {
        let here = session.known.keys.map { Candidate($0, "signed in before") }
        let known = site.operatorKey == nil ? nil : try? await site.operate(.get, "people").people
        let others = (known ?? []).filter { session.known[$0.name] == nil }.map { person in
            Candidate(
                person.name, [person.givenName, person.familyName].compactMap(\.self).joined(separator: " "))
        }
        return (here + others).sorted { $0.text < $1.text }
    }

    /// Those of a type as the schema has them, with = behind them where values follow.
    private func fieldNames(of type: String?, isAssigned: Bool) async -> [Candidate] {
        let types = (try? await site.recordTypes(in: session.place)) ?? []
        let fields = types.first { $0.name == type }?.ownFields ?? []
        return fields.map { Candidate($0.name + (isAssigned ? "=" : ""), $0.type) }
    }

    /// The records of a type in the database that is looked at; without one, those of the last answers.
    private func recordNames(of type: String?) async -> [Candidate] {
        guard let type else { return session.seen }
        let database = session.zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        let records = RecordRepository(database: database, zone: session.zone)
        let found = (try? await records.find(type, where: nil, limit: Self.nameLimit)) ?? []
        return found.map { Candidate($0.recordID.recordName, $0["name"] as? String ?? "") }
    }

    private func zoneNames() async -> [Candidate] {
        let zones = (try? await container.privateCloudDatabase.allRecordZones()) ?? []
        return zones.map(\.zoneID.zoneName).filter { $0 != CKRecordZone.ID.defaultZoneName }.sorted()
            .map { Candidate($0) }
    }

    /// Asks for the text as typed, then whatever its case: what is typed exactly comes first.
    private func names<Model>(
        _ typed: String,
        on shelf: Shelf<Model>,
        candidate: (Model) -> Candidate
    ) async -> [Candidate] {
        var models = (try? await shelf.names(beginningWith: typed, limit: Self.nameLimit)) ?? []
        if !typed.isEmpty { models += (try? await shelf.names(ignoringCase: typed)) ?? [] }
        var found: [Candidate] = []
        for name in models.map(candidate) where !found.contains(where: { $0.text == name.text }) {
            found.append(name)
        }
        return Array(found.prefix(Self.nameLimit))
    }
}
