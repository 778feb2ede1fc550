import Foundation
internal import Records
internal import RecordsWire

/// Looks up and accepts shares by their URLs.
struct SharesClient: Sendable {
    let client: CloudClient

    /// Fetches the metadata of shares by their URLs, one result for each. Throws `CKError` for the request as
    /// a whole.
    ///
    /// - Parameter rootKeys: The fields of the root records to fetch; nil fetches all fields.
    func metadata(
        _ urls: [URL], wantsRoot: Bool = false, rootKeys: [String]? = nil
    ) async throws -> [Result<CKShareMetadata, any Error>] {
        try client.checkSignedIn()
        let places = urls.map { (url: Optional($0), name: $0.absoluteString) }
        return try await resolve(.recordsResolve, places, wantsRoot: wantsRoot, rootKeys: rootKeys)
    }

    /// Accepts shares, one result for each. Throws `CKError` for the request as a whole.
    func accept(_ metadatas: [CKShareMetadata]) async throws -> [Result<CKShare, any Error>] {
        try client.checkSignedIn()
        let container = client.container
        let own = metadatas.filter { $0.containerIdentifier == container }
        let places = own.map { (url: $0.link ?? $0.share.url, name: $0.share.recordID.recordName) }
        var accepted = try await resolve(.recordsAccept, places)[...]
        return metadatas.map { metadata in
            guard metadata.containerIdentifier == container, let result = accepted.popFirst() else {
                return .failure(
                    CKError.make(
                        .badContainer,
                        "The share is in another container [\(metadata.containerIdentifier)] - accept it"
                            + " there, not in \(container)"))
            }
            return result.map(\.share)
        }
    }

    /// Requests access to shares from their owners, with one result for each. Throws `CKError` for the
    /// request as a whole.
    func requestAccess(_ urls: [URL]) async throws -> [Result<Void, any Error>] {
        try client.checkSignedIn()
        try CKError.check(urls.count, limit: client.limits.sharesPerRequest)
        let guids = urls.map { Self.shortGUID(in: $0) }
        let items = guids.compactMap(\.self).map { RecordsResolveRequest.Item($0) }
        var errors: ArraySlice<RecordError?> = []
        if !items.isEmpty {
            errors = try await client.answers(
                .recordsRequestAccess, RecordsResolveRequest(items), count: items.count, "shares",
                changes: true
            ) {
                try RequestAccessAnswer(bytes: $0).errors
            }[...]
        }
        return zip(urls, guids).map { url, guid in
            guard guid != nil, let error = errors.popFirst() else {
                return .failure(Self.noShareURL(url.absoluteString))
            }
            guard let error else { return .success(()) }
            return .failure(CKError(error, isSignedIn: client.context.isSignedIn))
        }
    }

    /// The last part of a share's URL; nil for another URL.
    private static func shortGUID(in url: URL?) -> String? {
        guard let guid = url?.lastPathComponent, !guid.isEmpty, guid != "/" else { return nil }
        return guid
    }

    /// Sends the short GUIDs of shares. If a URL has no short GUID, the result of its item is an error.
    private func resolve(
        _ endpoint: Endpoint, _ shares: [(url: URL?, name: String)], wantsRoot: Bool = false,
        rootKeys: [String]? = nil
    ) async throws -> [Result<CKShareMetadata, any Error>] {
        let limits = client.limits
        let isChange = endpoint == .recordsAccept
        try CKError.check(
            shares.count, limit: isChange ? limits.sharesPerRequest : limits.zonesPerRequest)
        var results: [Result<CKShareMetadata, any Error>] = []
        var places: [Int] = []
        var items: [RecordsResolveRequest.Item] = []
        for (place, share) in shares.enumerated() {
            results.append(.failure(Self.noShareURL(share.name)))
            guard let guid = Self.shortGUID(in: share.url) else { continue }
            places.append(place)
            items.append(RecordsResolveRequest.Item(guid, wantsRoot: wantsRoot, rootKeys: rootKeys))
        }
        if items.isEmpty { return results }
        let answers = try await client.answers(
            endpoint, RecordsResolveRequest(items), count: items.count, "shares",
            changes: isChange
        ) {
            try ResolvedShare.entries(bytes: $0)
        }
        for (place, answer) in zip(places, answers) {
            switch answer {
            case .success(let found): results[place] = await metadata(of: found, at: shares[place].url)
            case .failure(let error):
                results[place] = .failure(CKError(error, isSignedIn: client.context.isSignedIn))
            }
        }
        return results
    }

    private func metadata(
        of found: ResolvedShare, at url: URL?
    ) async -> Result<CKShareMetadata, any Error> {
        let context = client.context(isShared: !found.isOwn)
        context.cipher?.learn(from: found.share)
        guard let share = context.record(found.share) as? CKShare else {
            return .failure(
                CKError.make(.internalError, "The answer of the server does not contain the share."))
        }
        share.owner.state.withLock {
            $0.identity.givenName = found.owner.givenName
            $0.identity.familyName = found.owner.familyName
        }
        guard let own = share.currentUserParticipant else {
            return .failure(
                CKError.make(
                    .internalError, "The answer of the server has no participant for the signed-in person."))
        }
        var root: CKRecord?
        if let record = found.root {
            // If a file cannot be downloaded, the record is returned without it, because the metadata is
            // still useful.
            let fetched = await client.downloads.complete([.success(context.record(record))])
            root = fetched[0].value ?? (fetched[0].error as? CKError)?.incompleteRecord
        }
        return .success(
            CKShareMetadata(
                containerIdentifier: found.container, share: share, root: root, own: own, link: url))
    }

    private static func noShareURL(_ name: String) -> CKError {
        .invalidArguments(
            "This is not the URL of a share [\(name)] - take it from CKShare.url after the share is saved")
    }
}
