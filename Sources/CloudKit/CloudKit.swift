// Owns the name under which existing code imports Cloudlet where there is no CloudKit.

@_exported public import Cloudlet
