/// A view of a record's metadata (stamps, parent, asset slots, sharing), which is stored as one byte string.
///
/// One byte string is much faster to read than a column for each part, and a page of records can be forwarded
/// without decoding. The layout: creation and modification time, each 8 bytes, little endian, in milliseconds
/// since 1970; then the parts in the order of `Part`. A number precedes each part: 0 if the part is missing,
/// 1 if it equals the creator's name or device, otherwise its length plus 2. The number is a `Varint`. Zeros
/// may follow the last part.
package struct RecordHead {
    package enum Part: Int, CaseIterable, Sendable {
        case creator
        case creatorDevice
        case modifier
        case modifierDevice
        case parent
        /// Asset slots, one per line: offset, checksum, field name.
        case slots
        case shortGUID
        /// The bytes of a `Sharing`. Records with neither a short GUID nor a `Sharing` end before
        /// `shortGUID`.
        case sharing

        /// The part whose value this part may repeat.
        fileprivate var repeatedPart: Part? {
            switch self {
            case .modifier: .creator
            case .modifierDevice: .creatorDevice
            case .creator, .creatorDevice, .parent, .slots, .shortGUID, .sharing: nil
            }
        }
    }

    package let created: Timestamp
    package let modified: Timestamp
    private let memory: UnsafeRawBufferPointer
    private var starts = SIMD8<Int32>(repeating: 0)
    /// -1 for a missing part.
    private var counts = SIMD8<Int32>(repeating: -1)

    private static let timeBytes = 16

    /// Reads the offsets of all parts. The memory must not move while the head is in use. Unreadable parts
    /// count as missing.
    package init(_ memory: UnsafeRawBufferPointer) {
        self.memory = memory
        guard memory.count >= Self.timeBytes else {
            created = Timestamp(milliseconds: 0)
            modified = Timestamp(milliseconds: 0)
            return
        }
        created = Timestamp(milliseconds: Self.integer(memory, at: 0))
        modified = Timestamp(milliseconds: Self.integer(memory, at: 8))
        var offset = Self.timeBytes
        for part in Part.allCases {
            guard let number = Varint.read(memory, &offset) else { return }
            if number == 1, let model = part.repeatedPart {
                starts[part.rawValue] = starts[model.rawValue]
                counts[part.rawValue] = counts[model.rawValue]
            } else if number >= 2 {
                guard number - 2 <= memory.count - offset else { return }
                starts[part.rawValue] = Int32(truncatingIfNeeded: offset)
                counts[part.rawValue] = Int32(truncatingIfNeeded: number - 2)
                offset += number - 2
            }
        }
    }

    /// The bytes of a part; nil if it is missing.
    package func bytes(of part: Part) -> UnsafeRawBufferPointer? {
        let count = Int(counts[part.rawValue])
        if count < 0 { return nil }
        let start = Int(starts[part.rawValue])
        return UnsafeRawBufferPointer(rebasing: memory[start..<start + count])
    }

    package func text(of part: Part) -> String? {
        bytes(of: part).map { String(decoding: $0, as: UTF8.self) }
    }

    package var hasSlots: Bool { counts[Part.slots.rawValue] >= 0 }

    package var slots: [FieldBytes.AssetSlot] { Self.slots(text(of: .slots)) }

    /// The number of asset slots, which is much faster to determine than `slots`.
    package var slotCount: Int {
        guard let lines = bytes(of: .slots) else { return 0 }
        return lines.count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Whether the head contains a `Sharing` or a short GUID.
    package var hasSharing: Bool {
        counts[Part.shortGUID.rawValue] >= 0 || counts[Part.sharing.rawValue] >= 0
    }

    package var sharing: Sharing? { bytes(of: .sharing).flatMap { Sharing(bytes: $0) } }

    private static func integer(_ memory: UnsafeRawBufferPointer, at offset: Int) -> Int64 {
        Int64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }
}

// MARK: - Encoding

extension RecordHead {
    /// The encoded head of a record.
    package static func bytes(of record: StoredRecord) -> [UInt8] {
        bytes(
            created: record.created, modified: record.modified, parent: record.parent,
            slots: text(of: record.fields.assetSlots), shortGUID: record.shortGUID,
            sharing: record.sharing?.bytes)
    }

    /// Encodes a head. `slots` is text in the format of `Part.slots`.
    package static func bytes(
        created: Stamp, modified: Stamp, parent: String?, slots: String?, shortGUID: String? = nil,
        sharing: [UInt8]? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(timeBytes + 4 * 40)
        append(created.at.milliseconds, to: &bytes)
        append(modified.at.milliseconds, to: &bytes)
        append(created.by, to: &bytes)
        append(created.device, to: &bytes)
        append(modified.by, like: created.by, to: &bytes)
        append(modified.device, like: created.device, to: &bytes)
        append(parent, to: &bytes)
        append(slots, to: &bytes)
        if shortGUID == nil, sharing == nil { return bytes }
        append(shortGUID, to: &bytes)
        append(number: sharing.map { $0.count + 2 } ?? 0, to: &bytes)
        bytes.append(contentsOf: sharing ?? [])
        return bytes
    }

    /// The head of the next version of a record whose fields do not change. It is at least as long as the
    /// present head: zeros at the end keep the length and, if the head has to grow, leave room for longer
    /// stamps.
    package func touched(_ modified: Stamp) -> [UInt8] {
        let created = Stamp(
            at: created, by: text(of: .creator) ?? "", device: text(of: .creatorDevice))
        var bytes = Self.bytes(
            created: created, modified: modified, parent: text(of: .parent), slots: text(of: .slots),
            shortGUID: text(of: .shortGUID), sharing: self.bytes(of: .sharing).map { Array($0) })
        let length =
            bytes.count <= memory.count ? memory.count : (bytes.count + Self.room - 1) / Self.room * Self.room
        bytes.append(contentsOf: repeatElement(0, count: length - bytes.count))
        return bytes
    }

    /// A head that must grow gets a length that is a multiple of this number of bytes.
    private static let room = 64

    private static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String?, like model: String? = nil, to bytes: inout [UInt8]) {
        guard let text else { return append(number: 0, to: &bytes) }
        if let model, model == text { return append(number: 1, to: &bytes) }
        append(number: text.utf8.count + 2, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append(number: Int, to bytes: inout [UInt8]) {
        Varint.append(UInt64(number), to: &bytes)
    }

    private static func text(of slots: [FieldBytes.AssetSlot]) -> String? {
        if slots.isEmpty { return nil }
        return slots.map { "\($0.offset) \($0.fileChecksum) \($0.fieldName)" }.joined(separator: "\n")
    }

    private static func slots(_ text: String?) -> [FieldBytes.AssetSlot] {
        guard let text else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let offset = Int(parts[0]) else { return nil }
            return FieldBytes.AssetSlot(
                offset: offset, fieldName: String(parts[2]), fileChecksum: String(parts[1])
            )
        }
    }
}

extension StoredRecord {
    /// Decodes a record from its head and its fields.
    package init(id: RecordID, type: String, head: RecordHead, fields: [UInt8], sequence: Int64) {
        let creator = head.text(of: .creator) ?? ""
        let device = head.text(of: .creatorDevice)
        self.init(
            id: id, type: type, fields: FieldBytes(bytes: fields, assetSlots: head.slots),
            created: Stamp(at: head.created, by: creator, device: device),
            modified: Stamp(
                at: head.modified,
                by: head.repeats(.modifier) ? creator : head.text(of: .modifier) ?? "",
                device: head.repeats(.modifierDevice) ? device : head.text(of: .modifierDevice)),
            sequence: sequence, parent: head.text(of: .parent), sharing: head.sharing,
            shortGUID: head.text(of: .shortGUID)
        )
    }
}

extension RecordHead {
    /// Whether a part repeats the creator's, so that the two can share one `String`.
    fileprivate func repeats(_ part: Part) -> Bool {
        guard let model = part.repeatedPart else { return false }
        return counts[part.rawValue] >= 0 && starts[part.rawValue] == starts[model.rawValue]
    }
}
