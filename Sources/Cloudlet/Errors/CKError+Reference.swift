import Records

extension CKError.Code {
    /// The cause: a sentence that is true for every error of this code.
    public var cause: String { guide?.cause ?? "" }

    /// The next step, in one sentence.
    public var remedy: String { guide?.remedy ?? "" }

    private var guide: ErrorGuide? { ErrorGuide(rawValue: "\(self)") }
}
