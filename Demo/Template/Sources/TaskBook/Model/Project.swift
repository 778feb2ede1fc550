import Foundation
import Records

struct Project: Model {
    static let properties: [Property<Project>] = [
        .text("name", \.name),
        .whole("priority", \.priority),
        .number("budget", \.budget),
    ]

    let id: String
    var name = ""
    var priority = 0
    var budget = 0.0

    init(id: String) { self.id = id }
}
