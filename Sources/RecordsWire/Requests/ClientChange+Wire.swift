import Records

extension JSONNode {
    /// Decodes the token of a batch; nil if there is none. An empty token means that no batch was applied.
    /// `limits` is nil for answers.
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
    /// Writes the members of a batch's token.
    mutating func member(_ change: ClientChange?) {
        guard let change else { return }
        member("clientChangeToken", base64: change.token)
        if !change.exceptions.isEmpty { member("clientChangeExceptions", change.exceptions.sorted()) }
    }
}
