import Records

/// One screen of the console: its page, and the actions of its forms.
protocol Screen: Sendable {
    /// The name of the screen, which is the page's title.
    static var title: String { get }
    /// The lowest role that may see the page.
    static var role: OperatorRole { get }
    /// The actions of the page's forms, each with the lowest role that may perform it.
    static var actions: [String: OperatorRole] { get }
    /// The maximum number of bytes of a form of the page.
    static var formBytes: Int { get }
    /// The actions that the audit log does not record.
    static var unlogged: Set<String> { get }
    /// The actions that delete databases, and so free space on the disk.
    static var deletions: Set<String> { get }

    init()

    /// Returns the content of the page. Throws `RecordError`, whose text is then shown on a page.
    func page(_ request: ScreenRequest) async throws -> PageContent

    /// Performs the action of a form. Throws `RecordError`, which the page then shows.
    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome
}

extension Screen {
    static var role: OperatorRole { .viewer }
    static var actions: [String: OperatorRole] { [:] }
    static var unlogged: Set<String> { [] }
    static var deletions: Set<String> { [] }
    static var formBytes: Int { 65_536 }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        throw RecordError(
            .badRequest, "the form has an unknown action", culprit: "action",
            nextStep: "load the page again")
    }
}

/// The content of a screen's page between the header and the footer.
struct PageContent: Sendable {
    /// The heading, such as the name of a record type.
    var heading: String
    /// HTML of a template.
    var html: String
    /// A file that is sent instead of a page; nil for a page.
    var file: File?

    /// The interval in seconds at which the browser reloads the page; nil if it does not.
    var refreshSeconds: Int?

    /// A file that is sent as it is.
    struct File: Sendable {
        /// The name under which the browser saves the file; nil for an image that a page shows.
        var name: String?
        var contentType: String
        var bytes: [UInt8]
    }
}

/// The response to a form.
enum Outcome: Sendable {
    /// Redirects the browser to a page, which shows the message.
    case redirect(to: String, notice: String)
    /// The response itself is a page, for something that is shown only once, such as a new token.
    case page(PageContent)
}

/// A link in a list of links.
struct PageLink: Hashable, Sendable {
    var href: String
    var label: String
    var isCurrent = false
}
