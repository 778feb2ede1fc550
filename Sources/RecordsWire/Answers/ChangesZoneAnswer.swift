package import Records

/// The feeds of several zones, in the order in which they were asked for.
package struct ChangesZoneAnswer: Hashable, Sendable {
    /// What the server says about one zone.
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
        /// How many changes are to come at most; nil when the server does not say.
        package var remaining: Int?
        /// The last batch of this device that the server took; nil when the server does not say.
        package var lastBatch: ClientChange?
    }

    package var zones: [Feed]

    /// Reads a body. Throws `internalError` when it cannot be read as a whole.
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
