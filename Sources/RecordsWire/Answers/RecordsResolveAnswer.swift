package import Records

/// The answer to `records/resolve` and `records/accept`: one entry for each share, in order.
package struct RecordsResolveAnswer: Sendable {
    package typealias Entry = (item: RecordsResolveRequest.Item, result: Result<ShareMetadata, RecordError>)

    package var entries: [Entry]
    package var container: String
    package var environment: CloudEnvironment

    package init(_ entries: [Entry], container: String, environment: CloudEnvironment) {
        self.entries = entries
        self.container = container
        self.environment = environment
    }

    /// Encodes the body of the answer.
    ///
    /// - Parameter context: returns the context for records of the zone of a share.
    package func encoded(in context: (ZoneID?) -> AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("results", entries) { entry, json in
            json.beginObject()
            json.key("shortGUID")
            entry.item.write(to: &json)
            switch entry.result {
            case .success(let found): write(found, for: entry.item, in: context(found.zone), to: &json)
            case .failure(let error): error.writeMembers(to: &json, in: context(nil))
            }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    private func write(
        _ found: ShareMetadata, for item: RecordsResolveRequest.Item, in context: AnswerContext,
        to json: inout JSONWriter
    ) {
        json.member("containerIdentifier", container)
        json.member("environment", environment.rawValue)
        json.member("databaseScope", found.participant.role == .owner ? "PRIVATE" : "SHARED")
        json.key("zoneID")
        found.zone.write(to: &json, defaultOwner: found.owner)
        json.member("rootRecordName", found.share.sharing?.terms?.root ?? Share.zoneWideName)
        if let root = found.root {
            json.key("rootRecord")
            RecordAnswerWriter(context, desiredKeys: item.rootKeys).write(root, to: &json)
        }
        json.key("share")
        RecordAnswerWriter(context).write(found.share, to: &json)
        json.key("ownerIdentity")
        UserIdentity(
            userRecordName: found.owner, givenName: found.ownerGivenName, familyName: found.ownerFamilyName
        ).write(to: &json)
        json.member("participantType", found.participant.role.rawValue)
        json.member("participantStatus", found.participant.acceptance.rawValue)
        json.member("participantPermission", found.permission.rawValue)
    }
}
