import Records

extension CKError.Code {
    /// What happened: a sentence that is true for every error of this code.
    public var cause: String { guide?.cause ?? "" }

    /// What to do next, in one sentence.
    public var remedy: String { guide?.remedy ?? "" }

    private var guide: ErrorGuide? { ErrorGuide(rawValue: "\(self)") }
}
