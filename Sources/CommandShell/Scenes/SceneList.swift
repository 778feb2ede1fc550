import Foundation

/// The scenes that exist, and the planned ones.
struct SceneList: Equatable, Sendable {
    let scenes: [Scene]
    let planned: [String]

    /// One line per scene, with the number that `demo` accepts.
    var text: String {
        let widest = scenes.map { "\($0.number)".count }.max() ?? 0
        var lines = scenes.map { scene in
            let number = "\(scene.number)"
            return String(repeating: " ", count: widest - number.count) + "\(number)  \(scene.title)"
        }
        if !planned.isEmpty { lines += ["", "To come:"] + planned.map { "  \($0)" } }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        let known = scenes.map { scene in
            JSONValue.object([
                ("number", .integer(scene.number)), ("name", .string(scene.name)),
                ("title", .string(scene.title)),
            ])
        }
        return .object([("scenes", .array(known)), ("toCome", .array(planned.map(JSONValue.string)))])
    }
}
