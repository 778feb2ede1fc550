package import Records

/// The change feeds of several zones, in the order of the request.
package struct ChangesZoneAnswer: Hashable, Sendable {
    /// The result for one zone.
    package enum Feed: Hashable, Sendable {
        case page(Page)
        case failure(ZoneID?, RecordError)
    }

    /// One page of a zone's changes.
    package struct Page: Hashable, Sendable {
        package var zone: ZoneID
        package var records: [RecordAnswer]
        package var token: ChangeToken
        package var moreComing: Bool
        /// An upper bound for the number of changes after this page; nil if the server does not send it.
        package var remaining: Int?
        /// The last batch of this device that the server applied; nil if the server does not send it.
        package var lastBatch: ClientChange?
    }

    package var zones: [Feed]

    /// Decodes a body. Throws `internalError` if the body as a whole cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            zones = try JSONDocument(bytes, nesting: answerNesting).root.list("zones") { Feed($0) }
        } catch {
            throw error.asUnreadableAnswer
        }
    }
}

extension ChangesZoneAnswer.Feed {
    fileprivate init(_ node: JSONNode) {
        let zone = try? node.zone("zoneID")
        if node["serverErrorCode"] != nil {
            self = .failure(zone, RecordError(node, home: zone ?? .default))
            return
        }
        do throws(RecordError) {
            guard let zone else { throw node.missing("zoneID") }
            guard let token = try node.token("syncToken") else { throw node.missing("syncToken") }
            self = .page(
                ChangesZoneAnswer.Page(
                    zone: zone,
                    records: try node.list("records") { RecordAnswer($0, home: zone) },
                    token: token,
                    moreComing: try node.flag("moreComing"),
                    remaining: node["remaining"]?.int64Value.map { Int(Int32(clamping: max(0, $0))) },
                    lastBatch: try node.clientChange()
                )
            )
        } catch {
            self = .failure(zone, error.asUnreadableAnswer)
        }
    }
}
