package import Records

/// A share in the answer to `records/resolve` or `records/accept`, as a client decodes it.
package struct ResolvedShare: Hashable, Sendable {
    package var container: String
    /// Whether the share is in the caller's own private database.
    package var isOwn: Bool
    /// The share record. Its terms name the caller's participant, also before the caller has accepted.
    package var share: Record
    /// The root record, if the request asked for it.
    package var root: Record?
    package var owner: UserIdentity

    /// Decodes a body: an entry for each requested share, in order. Throws `internalError` if the body as a
    /// whole cannot be read; an unreadable entry becomes a failure of this entry only.
    package static func entries(bytes: [UInt8]) throws(RecordError) -> [Result<ResolvedShare, RecordError>] {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root.object()
            return try body.list("results") { entry($0) }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    private static func entry(_ node: JSONNode) -> Result<ResolvedShare, RecordError> {
        if node["serverErrorCode"] != nil { return .failure(RecordError(node)) }
        do throws(RecordError) {
            return .success(try ResolvedShare(node))
        } catch {
            return .failure(error.asUnreadableAnswer)
        }
    }

    private init(_ node: JSONNode) throws(RecordError) {
        let zone = try node.zone("zoneID") ?? .default
        container = try node.required("containerIdentifier").string()
        isOwn = try node.required("databaseScope").string() == "PRIVATE"
        share = try Record(node.required("share"), home: zone)
        root = try node["rootRecord"].map { (root) throws(RecordError) in try Record(root, home: zone) }
        owner = try UserIdentity(node.required("ownerIdentity"))
        // Some servers name the root here only.
        let rootName = try node["rootRecordName"]?.string()
        if case .share(var terms)? = share.sharing, terms.root == nil, let rootName,
            rootName != Share.zoneWideName
        {
            terms.root = rootName
            share.sharing = .share(terms)
        }
    }
}
