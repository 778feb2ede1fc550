// Owns the step as it is typed and shown.
import Foundation

extension Step: Typeable {
    static let command = "step"

    mutating func set(_ field: String, to text: String) throws {
        switch field {
        case "text": self.text = text
        case "value": self.value = try Typed.whole(text)
        case "weight": weight = try Typed.number(text)
        default: throw Trouble("step has no field \(field)")
        }
    }

    var line: String {
        var words = [id]
        words.append("text=" + (self.text))
        words.append("value=" + ("\(self.value)"))
        words.append("weight=" + ("\(weight)"))
        return words.joined(separator: "  ")
    }
}
