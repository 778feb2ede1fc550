import Directory
import RecordStore
package import Records

/// The container and environment of a share.
package struct ShareLocation: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment

    package init(container: String, environment: CloudEnvironment) {
        self.container = container
        self.environment = environment
    }
}

/// The part of a share that its page shows.
package struct ShareSummary: Hashable, Sendable {
    /// The title that the app gave to the share; nil if it has none, or an encrypted one.
    package var title: String?
    package var thumbnail: [UInt8]?
    /// Given and family name of the owner; nil if the account has neither.
    package var owner: String?
    /// The visitor's permission after accepting the share.
    package var permission: Participant.Permission
    /// The visitor's part in the share; nil for a visitor who is not signed in.
    package var participant: Participant?
}

extension ShareService {
    /// Finds the container and environment of a share. Throws `notFound` for a short GUID that leads to no
    /// share.
    package func location(of shortGUID: String) async throws -> ShareLocation {
        let link = ShareLink(shortGUID)
        guard let owner = ShortGUID.owner(of: link.shortGUID) else { throw Self.noShare(shortGUID) }
        for container in try await context.directory.containers(withUserRecordName: owner) {
            for environment in CloudEnvironment.allCases {
                let key = DatabaseKey(container: container, environment: environment, owner: owner)
                guard context.provider.exists(key) else { continue }
                let isKnown = try await databases.using(key) { database in
                    try await database.records.record(ofShortGUID: link.shortGUID) != nil
                }
                if isKnown { return ShareLocation(container: container, environment: environment) }
            }
        }
        throw Self.noShare(shortGUID)
    }

    /// Returns the summary of a share for a visitor who is not signed in; nil for a share that only invited
    /// people can accept. Throws `notFound` for a share that has ended, and the errors of `reserve`; see
    /// `resolve`.
    package func preview(
        of shortGUID: String, by caller: Caller,
        reserve: @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> ShareSummary? {
        let (key, link) = (try self.key(of: shortGUID, for: caller), ShareLink(shortGUID))
        let visible = try await databases.using(key) { database -> Found? in
            let found = try await find(shortGUID, in: database, by: caller)
            if found.terms.publicPermission == .none { return nil }
            let loaded = try await self.loaded(found, link, in: database, by: caller, reserve: reserve)
            return loaded.terms.publicPermission == .none ? nil : loaded
        }
        guard let found = visible else { return nil }
        let account = try await context.directory.account(
            withUserRecordName: found.owner, in: caller.container)
        return try await working(on: found.share, for: caller) {
            summary(
                of: found.share, ownerNames: [account?.givenName, account?.familyName],
                permission: found.terms.publicPermission)
        }
    }

    /// Whether an address is invited to a share, and nobody has accepted with it. Throws `notFound` for a
    /// short GUID that leads to no share.
    func isWaiting(
        for address: ContactAddress, _ shortGUID: String, by caller: Caller
    ) async throws -> Bool {
        let key = try self.key(of: shortGUID, for: caller)
        let found = try await databases.using(key) { try await find(shortGUID, in: $0, by: caller) }
        return found.terms.participants.contains { $0.person == nil && $0.address == address }
    }

    /// The part of the metadata that the page of a share shows.
    package func summary(of metadata: ShareMetadata, by caller: Caller) async throws -> ShareSummary {
        let ownerNames = [metadata.ownerGivenName, metadata.ownerFamilyName]
        var summary = try await working(on: metadata.share, for: caller) {
            self.summary(
                of: metadata.share, ownerNames: ownerNames, permission: metadata.permission)
        }
        summary.participant = metadata.participant
        return summary
    }

    private func summary(
        of share: StoredRecord, ownerNames: [String?], permission: Participant.Permission
    ) -> ShareSummary {
        let fields = (try? context.codec.decode(share.fields)) ?? Fields()
        var summary = ShareSummary(permission: permission)
        if let title = fields[Share.titleField], !title.isEncrypted, case .string(let text) = title.value,
            !text.isEmpty
        {
            summary.title = text.beginning(bytes: Self.titleBytes)
        }
        if let image = fields[Share.thumbnailField], !image.isEncrypted, case .bytes(let bytes) = image.value,
            bytes.count <= Self.thumbnailBytes
        {
            summary.thumbnail = bytes
        }
        let names = ownerNames.compactMap(\.self)
        if !names.isEmpty { summary.owner = names.joined(separator: " ") }
        return summary
    }

    /// The maximum sizes of the page's title and thumbnail in bytes.
    private static let titleBytes = 500
    private static let thumbnailBytes = 524_288

    /// The address of the app's web page for a share; nil if the operator has set none.
    package func webPage(of shortGUID: String, in container: String) async throws -> String? {
        let own = try await context.directory.container(container)?.fallbackURL
        guard let url = own ?? fallbackURL else { return nil }
        // After a host alone, the short GUID would become part of the host's name.
        let hasPath = url.split(separator: "/", omittingEmptySubsequences: false).count > 3
        return (hasPath ? url : url + "/") + shortGUID
    }
}
