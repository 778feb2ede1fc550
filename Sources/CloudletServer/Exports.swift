// Re-exports the types that a caller needs to configure a server, so that importing this module is enough.

@_exported public import struct Records.Account
@_exported public import enum Records.AccountStatus
@_exported public import struct Records.ActiveFault
@_exported public import struct Records.Fault
@_exported public import enum Records.FaultKind
@_exported public import struct Records.Limits
@_exported public import struct Records.QuotaRules
@_exported public import struct Records.RequestRate
@_exported public import struct ServerData.DataBackup
@_exported public import struct ServerData.DataCheck
@_exported public import struct ServerData.DataMigration
@_exported public import struct ServerData.OperatorAccess
@_exported public import struct ServerData.ServerError
