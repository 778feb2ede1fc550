package import Records

/// What the server says about one record.
package enum RecordAnswer: Hashable, Sendable {
    case record(Record)
    /// The record is gone; feeds of changes add its last change tag and, for our own client, its type.
    case deleted(RecordID, ChangeTag?, type: String? = nil)
    /// The name is nil when the server did not say which record it means.
    case failure(RecordID?, RecordError)

    /// Reads an item. What cannot be read is a failure of that item only.
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
