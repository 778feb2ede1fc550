package import Records

/// The receipt of an upload. A client saves it in a record's field to adopt the file. It is valid for one
/// database, record type and field.
package struct UploadReceipt: SignedToken {
    package static let kind: UInt8 = 1
    /// A receipt that another installation signed counts as expired too.
    package static let refusal = RecordError.expiredReceipt

    package var database: String
    package var recordType: String
    package var fieldName: String
    package var upload: ReceivedUpload
    package var expires: Timestamp

    package init(
        database: String,
        recordType: String,
        fieldName: String,
        upload: ReceivedUpload,
        expires: Timestamp
    ) {
        self.database = database
        self.recordType = recordType
        self.fieldName = fieldName
        self.upload = upload
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(database)
        writer.write(recordType)
        writer.write(fieldName)
        writer.write(upload.uploadID)
        writer.write(upload.fileChecksum)
        writer.write(upload.size)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        database = try reader.readString()
        recordType = try reader.readString()
        fieldName = try reader.readString()
        upload = try ReceivedUpload(
            uploadID: reader.readString(),
            fileChecksum: reader.readString(),
            size: reader.readInt64()
        )
        self.expires = expires
    }

    /// Throws `assetRejected` unless the receipt is for this database, record type, field and file.
    package func check(database: String, recordType: String, fieldName: String, asset: Asset) throws {
        guard self.database == database,
            self.recordType == recordType,
            self.fieldName == fieldName,
            upload.fileChecksum == asset.fileChecksum,
            upload.size == asset.size
        else { throw RecordError.badReceipt }
    }
}
