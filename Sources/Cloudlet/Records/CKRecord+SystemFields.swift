import Foundation
internal import Records
internal import RecordsWire

extension CKRecord.State {
    /// The system fields in the form that `Archive` writes, for `init(from:)`. A replica stores them for each
    /// record that it fetches. `JSONEncoder` would take longer for them than all the rest of a fetch takes.
    ///
    /// - Parameter sharing: the terms of a share as JSON.
    func systemFields(sharing: Data?) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.key("payload")
        json.beginObject()
        if let changeTag {
            json.key("changeTag")
            json.string(changeTag)
        }
        if let created {
            json.key("created")
            json.double(created.timeIntervalSinceReferenceDate)
        }
        json.write(creator, as: "creator")
        json.write(id, as: "id")
        if let modified {
            json.key("modified")
            json.double(modified.timeIntervalSinceReferenceDate)
        }
        json.write(modifier, as: "modifier")
        json.write(parent, as: "parent")
        json.write(share, as: "share")
        if let sharing {
            json.key("sharing")
            json.value(sharing)
        }
        json.key("type")
        json.string(type)
        json.endObject()
        json.key("version")
        json.integer(Int64(Archive.version))
        json.endObject()
        return json.bytes
    }
}

// Writes IDs and references as their `Codable` conformances encode them.
extension JSONWriter {
    fileprivate mutating func write(_ id: CKRecordID?, as key: StaticString) {
        guard let id else { return }
        self.key(key)
        write(name: id.recordName, zone: ZoneID(id.zoneID))
    }

    fileprivate mutating func write(_ reference: CKReference?, as key: StaticString) {
        guard let plain = reference.map({ Reference($0) }) else { return }
        self.key(key)
        beginObject()
        self.key("deletesSelf")
        bool(plain.action == .deleteSelf)
        self.key("target")
        write(name: plain.recordName, zone: plain.zone)
        if plain.action == .validate {
            self.key("validates")
            bool(true)
        }
        endObject()
    }

    private mutating func write(name: String, zone: ZoneID?) {
        beginObject()
        key("name")
        string(name)
        if let zone {
            key("zone")
            beginObject()
            key("name")
            string(zone.name)
            key("owner")
            string(zone.owner ?? CKCurrentUserDefaultName)
            endObject()
        }
        endObject()
    }
}
