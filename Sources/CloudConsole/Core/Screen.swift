import Records

/// One screen of the console: its page, and what its forms do.
protocol Screen: Sendable {
    /// The name of the screen, which is the page's title.
    static var title: String { get }
    /// The role that may see the page.
    static var role: OperatorRole { get }
    /// The actions of the page's forms, each with the role that may do it.
    static var actions: [String: OperatorRole] { get }
    /// Bytes of the longest form of the page.
    static var formBytes: Int { get }
    /// The actions that change nothing which the audit log keeps.
    static var unlogged: Set<String> { get }

    init()

    /// The page. Throws `RecordError`, which becomes a page with its sentence.
    func page(_ visit: Visit) async throws -> PageContent

    /// Does what a form says. Throws `RecordError`, which the page then shows.
    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome
}

extension Screen {
    static var role: OperatorRole { .viewer }
    static var actions: [String: OperatorRole] { [:] }
    static var unlogged: Set<String> { [] }
    static var formBytes: Int { 65_536 }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        throw RecordError(
            .badRequest, "the form cannot be read", culprit: "action", nextStep: "load the page again")
    }
}

/// What a screen shows between the console's head and foot.
struct PageContent: Sendable {
    /// The heading, such as the name of a record type.
    var heading: String
    /// HTML of a template.
    var html: String
    /// The file that the browser keeps in place of showing a page; nil for a page.
    var file: File?

    /// Seconds after which the browser loads the page again; nil: it does not.
    var refreshSeconds: Int?

    /// A file that is sent as it is.
    struct File: Sendable {
        /// The name under which the browser keeps the file; nil for one that a page shows.
        var name: String?
        var contentType: String
        var bytes: [UInt8]
    }
}

/// What follows a form.
enum Outcome: Sendable {
    /// The browser loads that page, which shows the message.
    case leads(to: String, notice: String)
    /// The page of this form, for what is shown only once.
    case shows(PageContent)
}

/// A link in a list of links.
struct PageLink: Hashable, Sendable {
    var href: String
    var label: String
    var isCurrent = false
}
