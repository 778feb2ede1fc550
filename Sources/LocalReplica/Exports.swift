// Re-exports the types of `Records` that the public API uses, so that importing `LocalReplica` is enough.

@_exported public import struct Records.Asset
@_exported public import protocol Records.FieldConvertible
@_exported public import protocol Records.FieldScalar
@_exported public import enum Records.FieldType
@_exported public import enum Records.FieldValue
@_exported public import struct Records.Location
@_exported public import protocol Records.ModelRecord
@_exported public import struct Records.RecordID
@_exported public import struct Records.Reference
@_exported public import enum Records.ScalarType
@_exported public import struct Records.Timestamp
@_exported public import struct Records.UnreadableField
@_exported public import struct Records.ZoneID
