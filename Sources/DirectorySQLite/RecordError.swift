import Records

/// GRDB has a type of this name, too. In this module the name means the one of `Records`.
typealias RecordError = Records.RecordError
