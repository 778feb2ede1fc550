package import Records

extension Asset {
    /// Decodes an asset dictionary. In a write it may contain only the receipt; then the checksum is empty.
    package init(_ node: JSONNode) throws(RecordError) {
        let dictionary = try node.object()
        let checksum = try dictionary["fileChecksum"]?.string()
        let receipt = try dictionary["receipt"]?.string()
        guard checksum != nil || receipt != nil else { throw dictionary.missing("fileChecksum") }
        self.init(fileChecksum: checksum ?? "", size: 0, receipt: receipt)
        if let node = dictionary["size"] {
            guard let size = node.int64Value, size >= 0 else { throw node.invalid(expected: "ASSETID") }
            self.size = size
        }
        downloadURL = try dictionary["downloadURL"]?.string()
        wrappingKey = try dictionary["wrappingKey"]?.string()
        referenceChecksum = try dictionary["referenceChecksum"]?.string()
    }

    /// Writes the form of upload answers and of writes, without a download URL.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("fileChecksum")
        json.string(fileChecksum)
        json.key("size")
        json.integer(size)
        json.member("receipt", receipt)
        json.member("wrappingKey", wrappingKey)
        json.member("referenceChecksum", referenceChecksum)
        json.endObject()
    }
}
