/// The limits of a text. Contributions and snapshots beyond them are refused with ``TextError``.
public enum TextLimits {
    /// The maximum number of bytes in the name of a site.
    public static let siteBytes = 64
    /// The maximum number of sites that contribute to one text.
    public static let sites = 10_000
    /// The maximum number of scalars in one run. Longer insertions become several contributions.
    public static let scalarsPerRun = 10_000
    /// The maximum number of ranges in one deletion. Deletions of more ranges become several contributions.
    public static let rangesPerDeletion = 1000
    /// The maximum number of contributions in one encoded batch.
    public static let contributionsPerBatch = 100_000
    /// The maximum number of scalars that are ever typed into one text, including deleted ones.
    public static let scalars = 4_000_000
    /// The maximum count of numbers that one site uses: one for each scalar and one for each deletion.
    public static let numbersPerSite = 8_000_000
    /// The maximum number of runs and of stretches of deleted or remaining scalars in a ``TextAssembly``,
    /// except those of its owner. Another person may add an eighth of this, of ``sites`` and of ``scalars``,
    /// and all others together a half.
    public static let pieces = 40_000
    /// The maximum number of contributions that wait for others.
    public static let waiting = 100_000
    /// The maximum number of scalars in all waiting contributions together.
    public static let waitingScalars = 4_000_000
}
