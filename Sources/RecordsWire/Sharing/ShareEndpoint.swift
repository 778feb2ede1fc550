/// The page behind the link of a share.
package enum ShareEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Shows the page.
    case page = "GET /share/:guid"
    /// Receives the forms of the page.
    case form = "POST /share/:guid"

    /// The path below which all pages are.
    package static let folder = "/share"

    /// The path of the page of a share.
    package static func path(of shortGUID: String) -> String {
        PathTemplate(page.rawValue).path(["guid": shortGUID])
    }
}
