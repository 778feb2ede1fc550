/// The limits of a text. Contributions and snapshots beyond them are refused with ``TextError``.
public enum TextLimits {
    /// The bytes in the name of a site.
    public static let siteBytes = 64
    /// The sites that may contribute to one text.
    public static let sites = 10_000
    /// The scalars in one run. Longer insertions become several contributions.
    public static let scalarsPerRun = 10_000
    /// The ranges in one deletion. Deletions of more become several contributions.
    public static let rangesPerDeletion = 1000
    /// The contributions in one batch of bytes.
    public static let contributionsPerBatch = 100_000
    /// The scalars that were ever typed into one text, the deleted ones among them.
    public static let scalars = 4_000_000
    /// The numbers that one site may use: one for each scalar and one for each deletion.
    public static let numbersPerSite = 8_000_000
    /// The contributions that wait for others.
    public static let waiting = 100_000
    /// The scalars in all contributions that wait for others.
    public static let waitingScalars = 4_000_000
}
