/// The members of a field dictionary, found in one pass. A `type` or `isEncrypted` of null counts as absent.
struct FieldParts {
    private(set) var value: JSONNode?
    private(set) var type: JSONNode?
    private(set) var isEncrypted: JSONNode?

    init(_ node: JSONNode) {
        let document = node.document
        let end = Int(node.entry.next)
        var key = node.index + 1
        while key < end {
            let member = JSONNode(document: document, index: key + 1)
            if document.isString(key, "value") {
                value = member
            } else if document.isString(key, "type") {
                type = member.isNull ? nil : member
            } else if document.isString(key, "isEncrypted") {
                isEncrypted = member.isNull ? nil : member
            }
            key = Int(member.entry.next)
        }
    }
}
