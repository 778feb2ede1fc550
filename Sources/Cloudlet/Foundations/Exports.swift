// Re-exports CoreLocation and Foundation, as CloudKit does on Apple platforms, and the transport types.

@_exported public import CoreLocation
@_exported public import Foundation

@_exported public import struct RecordsWire.CloudHeaders
@_exported public import struct RecordsWire.CloudRequest
@_exported public import struct RecordsWire.CloudResponse
@_exported public import protocol RecordsWire.CloudTransport
@_exported public import enum RecordsWire.CloudTransportError
@_exported public import struct RecordsWire.OperatorClient
