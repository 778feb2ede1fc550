// Owns what a file sees that imports this module alone: the values in which a server is set up.

@_exported public import struct Records.Account
@_exported public import enum Records.AccountStatus
@_exported public import struct Records.Fault
@_exported public import struct Records.FaultInForce
@_exported public import enum Records.FaultKind
@_exported public import struct Records.Limits
@_exported public import struct Records.QuotaRules
@_exported public import struct Records.RequestRate
@_exported public import struct ServerData.DataBackup
@_exported public import struct ServerData.DataCheck
@_exported public import struct ServerData.OperatorAccess
@_exported public import struct ServerData.ServerError
