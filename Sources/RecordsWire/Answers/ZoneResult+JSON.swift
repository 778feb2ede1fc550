import Records

extension ZoneResult {
    /// Decodes a zone dictionary, a deletion or an error.
    init(_ node: JSONNode) {
        do throws(RecordError) {
            let id = try node.zone("zoneID")
            if node["serverErrorCode"] != nil {
                self = .failure(id, RecordError(node, home: id ?? .default))
                return
            }
            guard let id else { throw node.missing("zoneID") }
            if try node.flag("deleted") {
                let reason = node["cloudlet"]?["reason"]?.int64Value.flatMap { UInt8(exactly: $0) }
                self = .deleted(id, reason: reason.flatMap(ZoneDeletionReason.init(rawValue:)) ?? .deleted)
                return
            }
            let token = try node.token("syncToken")
            let isAtomic = try node["atomic"]?.bool() ?? !id.isDefault
            self = .zone(Zone(id: id, isAtomic: isAtomic, syncToken: token))
        } catch {
            self = .failure(nil, error.asUnreadableAnswer)
        }
    }

    /// Writes the entry. `showsAtomic` is false in change feeds, which omit capabilities.
    func write(to json: inout JSONWriter, in context: AnswerContext, showsAtomic: Bool) {
        json.beginObject()
        if let id {
            json.key("zoneID")
            id.write(to: &json, defaultOwner: context.owner)
        }
        switch self {
        case .zone(let zone):
            json.member("syncToken", base64: zone.syncToken?.bytes)
            if showsAtomic { json.member("atomic", zone.isAtomic) }
        case .deleted(_, let reason):
            json.member("deleted", true)
            if context.addsDetails, reason != .deleted {
                json.key("cloudlet")
                json.beginObject()
                json.member("reason", Int64(reason.rawValue))
                json.endObject()
            }
        case .failure(_, let error): error.writeMembers(to: &json, in: context)
        }
        json.endObject()
    }
}
