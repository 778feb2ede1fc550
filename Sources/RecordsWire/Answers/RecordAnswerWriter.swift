package import Records

/// Writes record dictionaries. It copies the stored fields without decoding them, unless `numbersAsStrings`
/// is set.
package struct RecordAnswerWriter: Sendable {
    package var context: AnswerContext
    private let desiredKeys: DesiredKeys?
    private let numbersAsStrings: Bool
    /// Whether answers contain the fields exactly as stored.
    var passesFields: Bool { desiredKeys == nil && !numbersAsStrings }
    private let codec = FieldJSON()

    /// `desiredKeys`: nil returns all fields, an empty list none.
    package init(_ context: AnswerContext, desiredKeys: [String]? = nil, numbersAsStrings: Bool = false) {
        self.context = context
        self.desiredKeys = desiredKeys.map { DesiredKeys($0) }
        self.numbersAsStrings = numbersAsStrings
    }

    /// Writes a record. If its stored fields are damaged, it writes an error in place of the record.
    package func write(_ record: StoredRecord, to json: inout JSONWriter) {
        do throws(RecordError) {
            let fields = try shown(record.fields)
            begin(record.id.name, record.type, to: &json)
            codec.splice(fields, into: &json) { context.assetAddress(record.id, $0) }
            json.append(",\"pluginFields\":{},\"recordChangeTag\":")
            json.continues()
            json.tag(context.shown(record.sequence))
            let parent = shownParent(record.parent, record.sharing)
            end(record.id, record.created, record.modified, parent, to: &json) {
                write(record.sharing, record.shortGUID, to: &$0)
            }
        } catch {
            write(error, for: record.id, to: &json)
        }
    }

    /// Writes a decoded record.
    package func write(_ record: Record, to json: inout JSONWriter) {
        begin(record.id.name, record.type, to: &json)
        codec.splice(codec.encode(record.fields, numbersAsStrings: numbersAsStrings), into: &json) {
            context.assetAddress(record.id, $0)
        }
        json.append(",\"pluginFields\":{}")
        json.member("recordChangeTag", context.shown(record.changeTag)?.text)
        let parent = shownParent(record.parent, record.sharing)
        end(record.id, record.created, record.modified, parent, to: &json) {
            write(record.sharing, record.shortGUID, to: &$0)
        }
    }

    /// The parent that the answer shows. A share's root record may have a parent, which is not in the share;
    /// only the owner sees it.
    private func shownParent(_ parent: String?, _ sharing: Sharing?) -> String? {
        let isGuest = context.person.map { $0 != context.owner } ?? false
        return isGuest && sharing?.shareName != nil ? nil : parent
    }

    /// Writes the outcome of one operation.
    package func write(_ result: ItemResult, to json: inout JSONWriter) {
        switch result {
        case .record(let record): write(record, to: &json)
        case .deleted(let id): writeDeleted(id, to: &json)
        case .failure(let id, let error): write(error, for: id, to: &json)
        }
    }

    /// Writes the outcome of a deletion.
    package func writeDeleted(_ id: RecordID, to json: inout JSONWriter) {
        json.literal("{\"recordName\":")
        json.continuingString(id.name)
        json.append(",\"deleted\":true}")
    }

    /// Writes the tombstone of a record for a change feed. `recordType` is null, as in CloudKit; Cloudlet's
    /// own client finds the type in the details.
    package func writeTombstone(
        _ id: RecordID, type: String? = nil, changeTag: ChangeTag?, to json: inout JSONWriter
    ) {
        json.literal("{\"recordName\":")
        json.continuingString(id.name)
        json.append(",\"deleted\":true")
        json.member("recordChangeTag", context.shown(changeTag)?.text)
        json.key("zoneID")
        id.zone.write(to: &json, defaultOwner: context.owner)
        if context.addsDetails, let type {
            json.key("cloudlet")
            json.beginObject()
            json.member("recordType", type)
            json.endObject()
        }
        json.endObject()
    }

    /// Writes the error of one item.
    package func write(_ error: RecordError, for id: RecordID, to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", id.name)
        error.writeMembers(to: &json, in: context)
        json.endObject()
    }

    /// The fields of this answer in the requested form.
    private func shown(_ fields: FieldBytes) throws(RecordError) -> FieldBytes {
        let wanted = if let desiredKeys { try codec.project(fields, keeping: desiredKeys) } else { fields }
        guard numbersAsStrings else { return wanted }
        return codec.encode(try codec.decode(wanted), numbersAsStrings: true)
    }

    private func begin(_ name: String, _ type: String, to json: inout JSONWriter) {
        json.literal("{\"recordName\":")
        json.continuingString(name)
        json.append(",\"recordType\":")
        json.continuingString(type)
        json.append(",\"fields\":")
        json.continues()
    }

    private func end(
        _ id: RecordID, _ created: Stamp?, _ modified: Stamp?, _ parent: String?, to json: inout JSONWriter,
        writingSharing: (inout JSONWriter) -> Void
    ) {
        json.member("created", created)
        json.member("modified", modified)
        json.append(",\"deleted\":false,\"zoneID\":")
        json.continues()
        id.zone.write(to: &json, defaultOwner: context.owner)
        if let parent {
            json.append(",\"parent\":{\"recordName\":")
            json.continuingString(parent)
            json.endObject()
        }
        writingSharing(&json)
        json.endObject()
    }

    /// Writes the members of a share or of a root. Cloudlet's own client also learns the root and the URL of
    /// a share.
    private func write(_ sharing: Sharing?, _ shortGUID: String?, to json: inout JSONWriter) {
        json.member("shortGUID", sharing?.terms?.shortGUID ?? shortGUID)
        switch sharing {
        case nil: break
        case .root(let share):
            json.key("share")
            json.beginObject()
            json.member("recordName", share)
            json.endObject()
        case .share(let terms):
            terms.writeMembers(for: context.person, to: &json)
            guard context.addsDetails else { return }
            json.member("shareURL", context.shareAddress.map { $0 + terms.shortGUID })
            guard let root = terms.root else { return }
            json.key("forRecord")
            json.beginObject()
            json.member("recordName", root)
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes a stamp; nothing if it is nil.
    fileprivate mutating func member(_ name: StaticString, _ stamp: Stamp?) {
        guard let stamp else { return }
        key(name)
        literal("{\"timestamp\":")
        continues()
        integer(stamp.at.milliseconds)
        append(",\"userRecordName\":")
        continuingString(stamp.by)
        append(",\"deviceID\":")
        continuingString(stamp.device ?? Stamp.cloudDevice)
        append("}")
    }
}
