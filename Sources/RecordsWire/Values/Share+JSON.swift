import Records

extension Share {
    /// Decodes the terms of a share from a record dictionary of an answer; nil if it has none.
    init?(_ record: JSONNode) throws(RecordError) {
        guard let permission = record["publicPermission"], let people = record["participants"] else {
            return nil
        }
        self.init(
            root: try record["forRecord"]?["recordName"]?.string(),
            shortGUID: try record["shortGUID"]?.string() ?? "",
            publicPermission: try Participant.Permission(permission),
            participants: try Participant.list(people))
        if let denies = record["denyAccessRequests"] { allowsRequests = !(try denies.bool()) }
        if let list = record["requesters"] { requesters = try AccessRequester.list(list) }
        if let list = record["blocked"] { blocked = try AccessRequester.list(list) }
        callerID = try record["currentUserParticipant"]?["participantId"]?.string()
        url = try record["shareURL"]?.string()
    }

    /// Writes the members of a share's record dictionary. Only people who manage the participants see the
    /// invitations by one-time link, because their ids are the links' secrets, and who asks for access.
    ///
    /// - Parameter person: the record name of the caller.
    func writeMembers(for person: String?, to json: inout JSONWriter) {
        json.member("publicPermission", publicPermission.rawValue)
        let role = person.flatMap { participant($0)?.role }
        let isManager = role == .owner || role == .administrator
        let shown = isManager ? participants : participants.filter { !$0.isOneTime }
        json.list("participants", shown) { write($0, to: &$1) }
        if allowsRequests { json.member("denyAccessRequests", false) }
        if isManager {
            if !requesters.isEmpty { json.list("requesters", requesters) { $0.write(to: &$1) } }
            if !blocked.isEmpty { json.list("blocked", blocked) { $0.write(to: &$1) } }
        }
        if let owner = participants.first(where: { $0.role == .owner }) {
            json.key("owner")
            write(owner, to: &json)
        }
        if let person, let current = participant(person) {
            json.key("currentUserParticipant")
            write(current, to: &json)
        }
    }

    /// Writes a participant with the effective permission (`grantedPermission`).
    private func write(_ participant: Participant, to json: inout JSONWriter) {
        var shown = participant
        shown.permission = grantedPermission(of: participant)
        shown.write(to: &json)
    }
}

extension ShareDraft {
    /// Decodes the terms that a save sets; nil if it sets none.
    ///
    /// Throws `badRequest` for another spelling of the record type, with the text of the real service.
    static func read(_ record: JSONNode, type: String?) throws(RecordError) -> ShareDraft? {
        if let type, type != Share.recordType, type.lowercased() == Share.recordType {
            throw RecordError(
                .badRequest, "Cannot share - no such record exists to share", culprit: type,
                nextStep: "write the record type as \(Share.recordType)")
        }
        let (root, permission, people) = (
            record["forRecord"], record["publicPermission"], record["participants"]
        )
        let denies = record["denyAccessRequests"]
        let (requesters, blocked) = (record["requesters"], record["blocked"])
        let isPlain = [root, permission, people, denies, requesters, blocked].allSatisfy { $0 == nil }
        if type != Share.recordType, isPlain { return nil }
        var draft = ShareDraft()
        if let root {
            draft.root = try root.object().required("recordName").string()
            draft.rootTag = try root["recordChangeTag"].map { (tag) throws(RecordError) in
                ChangeTag(text: try tag.string())
            }
        }
        if let permission { draft.publicPermission = try Participant.Permission(permission) }
        if let people { draft.participants = try Participant.list(people) }
        if let denies { draft.allowsRequests = !(try denies.bool()) }
        if let requesters { draft.requesters = try AccessRequester.list(requesters).map(\.person) }
        if let blocked { draft.blocked = try AccessRequester.list(blocked).map(\.person) }
        return draft
    }

    /// Writes the members of a request's record dictionary.
    func writeMembers(to json: inout JSONWriter) {
        if let root {
            json.key("forRecord")
            json.beginObject()
            json.member("recordName", root)
            json.member("recordChangeTag", rootTag?.text)
            json.endObject()
        }
        json.member("publicPermission", publicPermission?.rawValue)
        if let participants { json.list("participants", participants) { $0.write(to: &$1) } }
        json.member("denyAccessRequests", allowsRequests.map { !$0 })
        let lists: [(name: StaticString, people: [String]?)] = [
            ("requesters", requesters), ("blocked", blocked),
        ]
        for case (let name, let people?) in lists {
            json.list(name, people) { AccessRequester(person: $0).write(to: &$1) }
        }
    }
}
