import Records

/// GRDB also has a type with this name. In this module, the name means the type of `Records`.
typealias RecordError = Records.RecordError
