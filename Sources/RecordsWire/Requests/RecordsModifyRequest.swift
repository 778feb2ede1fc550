package import Records

/// Creates, changes and deletes records (CloudKit Web Services Reference, *Modifying Records*).
package struct RecordsModifyRequest: WireRequest {
    package var batch: ModifyRequest
    /// The fields to return; nil: all, empty: none.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(_ batch: ModifyRequest, desiredKeys: [String]? = nil, numbersAsStrings: Bool = false) {
        self.batch = batch
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let zone = try body.zone("zoneID")
        // Each list element and each person has an entry on the tape, so a short tape is within the limit.
        let isCounted = body.document.tape.count > limits.elementsPerRequest / JSONNode.elementsPerPerson
        var elements = 0
        let operations = try body.list(
            "operations", atMost: limits.operationsPerRequest, next: "split the batch in half and send both"
        ) { (node) throws(RecordError) in
            if isCounted {
                elements += node.listElements
                try Self.check(elements: elements, limits)
            }
            return try RecordOperation(node, home: zone)
        }
        let isAtomic = try body["atomic"]?.bool() ?? true
        desiredKeys = try body.desiredKeys(limits)
        numbersAsStrings = try body.numbersAsStrings() ?? false
        batch = ModifyRequest(
            operations, zone: zone, isAtomic: isAtomic, clientChange: try body.clientChange(limits))
    }

    private static func check(elements: Int, _ limits: Limits) throws(RecordError) {
        if elements <= limits.elementsPerRequest { return }
        throw RecordError(
            .limitExceeded,
            "the lists of one request have more than \(limits.elementsPerRequest) elements together "
                + "(elementsPerRequest), where a person of a share counts as \(JSONNode.elementsPerPerson)",
            culprit: "operations",
            nextStep: "split the batch in half and send both, or make each element a record of its own")
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", batch.zone)
        json.list("operations", batch.operations) { $0.write(to: &$1) }
        if !batch.isAtomic { json.member("atomic", false) }
        json.member("desiredKeys", desiredKeys)
        json.flag("numbersAsStrings", numbersAsStrings)
        json.member(batch.clientChange)
    }
}

extension JSONNode {
    /// What a person that a share names counts, because decoding one takes longer.
    fileprivate static let elementsPerPerson = 5

    /// The number of list elements that an operation sets, and of people that it names, counted without
    /// decoding them.
    fileprivate var listElements: Int {
        guard let record = self["record"] else { return 0 }
        let lists: [StaticString] = ["participants", "requesters", "blocked"]
        let people = lists.reduce(0) { $0 + (record[$1]?.elementCount ?? 0) }
        guard let fields = record["fields"] else { return people * Self.elementsPerPerson }
        return fields.members.reduce(people * Self.elementsPerPerson) { count, member in
            let field = member.value
            let value = field.kind == .object ? FieldParts(field).value : field
            return count + (value?.elementCount ?? 0)
        }
    }
}
