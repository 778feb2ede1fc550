import Records

/// GRDB has a type of this name too. In this module, the one of `Records` is meant.
typealias RecordError = Records.RecordError
