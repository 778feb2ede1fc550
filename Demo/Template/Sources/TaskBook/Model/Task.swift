import Foundation
import Records

struct Task: Model {
    static let properties: [Property<Task>] = [
        .text("title", \.title),
        .flag("done", \.done),
        .date("due", \.due),
        .texts("tags", \.tags),
        .reference("project", \.project, to: Project.self),
        .photo("photo", \.photo),
    ]

    let id: String
    var title = ""
    var done = false
    var due: Date?
    var tags: [String] = []
    var project: String?
    var photo: Asset?

    init(id: String) { self.id = id }
}
