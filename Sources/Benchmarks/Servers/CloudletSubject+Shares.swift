import Records
import RecordsWire

extension CloudletSubject {
    /// A record of the first person that is shared with everybody who has the link.
    struct SharedRoot {
        var zone: String
        /// The user record name of the first person.
        var owner: String
        var name: String
    }

    /// Creates a zone of the first person with a shared root. The second person accepts the share.
    func makeSharedRoot(in zone: String) throws -> SharedRoot {
        try makeZone(zone)
        let json = """
            {"zoneID":{"zoneName":"\(zone)"},"operations":[\
            {"operationType":"create","record":{"recordName":"root","recordType":"\(SampleRecord.type)"}},\
            {"operationType":"create","record":{"recordName":"share","recordType":"cloudkit.share",\
            "forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE"}}]}
            """
        let saved = try RecordsAnswer(bytes: call(.private, "records/modify", json: json))
        guard case .record(let share)? = saved.records.last, let guid = share.shortGUID else {
            throw BenchmarkError("the share was not saved: \(saved.records)")
        }
        let link = "{\"shortGUIDs\":[{\"value\":\"\(guid)\"}]}"
        let acceptance = request(.public, "records/accept", json: link, person: 1)
        let accepted = try ResolvedShare.entries(bytes: client(connections: 1).call(acceptance))
        guard case .success(let found)? = accepted.first else {
            throw BenchmarkError("the share was not accepted: \(accepted)")
        }
        return SharedRoot(zone: zone, owner: found.owner.userRecordName, name: "root")
    }

    /// The second person's request for the first changes of a shared zone.
    func firstPage(of root: SharedRoot, limit: Int) -> LoadRequest {
        let json = """
            {"zones":[{"zoneID":{"zoneName":"\(root.zone)","ownerRecordName":"\(root.owner)"},\
            "resultsLimit":\(limit)}]}
            """
        return request(.shared, "changes/zone", json: json, person: 1)
    }

    /// A request of the first person that puts a record below another one, or below none.
    func move(_ name: String, below parent: String?, in zone: String) -> LoadRequest {
        let parent = parent.map { "{\"recordName\":\"\($0)\"}" } ?? "null"
        let json = """
            {"zoneID":{"zoneName":"\(zone)"},"operations":[{"operationType":"forceUpdate",\
            "record":{"recordName":"\(name)","recordType":"\(SampleRecord.type)","parent":\(parent)}}]}
            """
        return request(.private, "records/modify", json: json)
    }
}
