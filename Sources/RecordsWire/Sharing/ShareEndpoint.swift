/// The page behind the link of a share.
package enum ShareEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Shows the page.
    case page = "GET /share/:guid"
    /// Receives the forms of the page.
    case form = "POST /share/:guid"

    /// The prefix of the paths of all pages.
    package static let folder = "/share"

    /// The path of the page of a share.
    package static func path(of shortGUID: String) -> String {
        PathTemplate(page.rawValue).path(["guid": shortGUID])
    }
}
