import Records

extension JSONNode {
    /// The name of a batch; nil when there is none. Empty text is the name of no batch. An answer has no
    /// limits to keep.
    func clientChange(_ limits: Limits? = nil) throws(RecordError) -> ClientChange? {
        guard let node = self["clientChangeToken"] else { return nil }
        guard let token = Base64.decode(try node.string()) else {
            throw RecordError(
                .badRequest, "clientChangeToken is not base64", culprit: "clientChangeToken",
                nextStep: "encode the token's bytes in base64")
        }
        let exceptions = try strings(
            "clientChangeExceptions", atMost: limits?.operationsPerRequest ?? .max,
            next: "send fewer operations under one token")
        return ClientChange(token: token, exceptions: Set(exceptions ?? []))
    }
}

extension JSONWriter {
    /// The members of a batch's name.
    mutating func member(_ name: ClientChange?) {
        guard let name else { return }
        member("clientChangeToken", base64: name.token)
        if !name.exceptions.isEmpty { member("clientChangeExceptions", name.exceptions.sorted()) }
    }
}
