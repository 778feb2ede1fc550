package import Records

/// The result for one record.
package enum RecordAnswer: Hashable, Sendable {
    case record(Record)
    /// The record was deleted. Change feeds add its last change tag and, for Cloudlet's own client, its type.
    case deleted(RecordID, ChangeTag?, type: String? = nil)
    /// The operation failed. The ID is nil if the server did not name the record.
    case failure(RecordID?, RecordError)

    /// Decodes an item. An unreadable item becomes a failure of this item only.
    init(_ node: JSONNode, home: ZoneID) {
        let name = node["recordName"]?.stringValue
        let zone = (try? node.zone("zoneID")) ?? home
        let id = name.map { RecordID(name: $0, zone: zone) }
        if node["serverErrorCode"] != nil || node["extensionErrorCode"] != nil {
            self = .failure(id, RecordError(node, home: home))
            return
        }
        if let id, node["deleted"]?.boolValue == true {
            let type = (node["cloudlet"]?["recordType"] ?? node["recordType"])?.stringValue
            let tag = node["recordChangeTag"]?.stringValue
            self = .deleted(id, tag.map(ChangeTag.init(text:)), type: type)
            return
        }
        do throws(RecordError) {
            self = .record(try Record(node, home: home))
        } catch {
            self = .failure(id, error.asUnreadableAnswer)
        }
    }
}
