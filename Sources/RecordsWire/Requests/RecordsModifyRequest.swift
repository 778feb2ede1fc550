// Owns the body of records/modify.

package import Records

/// Asks for records to be created, changed and deleted (sheet 1.7).
package struct RecordsModifyRequest: WireRequest {
    package var operations: [RecordOperation]
    /// nil: the zone that the operations name, else the default zone.
    package var zone: ZoneID?
    /// Whether one failure undoes all, in zones that can.
    package var isAtomic: Bool
    /// Which fields the answer shows; nil: all, empty: none.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool
    /// What the device calls the batch, and records of it that this request does not bring. Cloudlet's own:
    /// other servers pass over it.
    package var name: ClientChange?

    package init(
        _ operations: [RecordOperation],
        zone: ZoneID? = nil,
        isAtomic: Bool = true,
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool = false,
        name: ClientChange? = nil
    ) {
        self.operations = operations
        self.zone = zone
        self.isAtomic = isAtomic
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
        self.name = name
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let zone = try body.zone("zoneID")
        self.zone = zone
        // Every element is a value of the document, so that small requests need not be counted.
        let isCounted = body.document.tape.count > limits.elementsPerRequest
        var elements = 0
        operations = try body.list(
            "operations", atMost: limits.operationsPerRequest, next: "split the batch in half and send both"
        ) { (node) throws(RecordError) in
            if isCounted {
                elements += node.listElements
                try Self.check(elements: elements, limits)
            }
            return try RecordOperation(node, home: zone)
        }
        isAtomic = try body["atomic"]?.bool() ?? true
        desiredKeys = try body.desiredKeys(limits)
        numbersAsStrings = try body.numbersAsStrings() ?? false
        name = try body.clientChange(limits)
    }

    private static func check(elements: Int, _ limits: Limits) throws(RecordError) {
        if elements <= limits.elementsPerRequest { return }
        throw RecordError(
            .limitExceeded,
            "the lists of one request have more than \(limits.elementsPerRequest) elements together "
                + "(elementsPerRequest)",
            culprit: "operations",
            nextStep: "split the batch in half and send both, or make each element a record of its own")
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", zone)
        json.list("operations", operations) { $0.write(to: &$1) }
        if !isAtomic { json.member("atomic", false) }
        json.member("desiredKeys", desiredKeys)
        json.flag("numbersAsStrings", numbersAsStrings)
        json.member(name)
    }
}

extension JSONNode {
    /// How many elements the lists have that an operation of records/modify sets, of which none is read.
    fileprivate var listElements: Int {
        guard let fields = self["record"]?["fields"] else { return 0 }
        return fields.members.reduce(0) { count, member in
            let field = member.value
            let value = field.kind == .object ? FieldParts(field).value : field
            return count + (value?.elementCount ?? 0)
        }
    }
}
