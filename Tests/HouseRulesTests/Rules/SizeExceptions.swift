// Owns the list of what is larger than the house allows, for now. It only shrinks.

/// For instance
/// `SizeException(path: …, subject: .function("load"), size: 48, since: "2026-11-21", reason: "…")`.
let sizeExceptions: [SizeException] = []
