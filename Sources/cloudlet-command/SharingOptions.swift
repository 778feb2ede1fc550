import ArgumentParser

/// `--fallback-url URL`.
struct SharingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the app's web page, such as https://app.example/open/, to which the pages of "
                + "shares lead; the short GUID of the share is appended.",
            discussion: """
                `cloudlet container set-fallback` gives a container another address. Default: none; \
                the page says that the app shows what is shared.
                """, valueName: "url"))
    var fallbackUrl: String?

    /// The values of the flags.
    var flags: [String: String?] { ["fallback-url": fallbackUrl] }
}
