package import Records

extension Asset {
    /// Reads an asset. A write may name the upload's receipt alone; the checksum is then empty.
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

    /// Writes the form that uploads answer and writes send: without an address.
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
