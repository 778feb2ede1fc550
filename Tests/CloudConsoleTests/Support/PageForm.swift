@testable import TestKit

/// A form of a page, as a browser fills it in and sends it.
struct PageForm: Hashable, Sendable {
    /// The inputs whose value the form sends.
    struct Input: Hashable, Sendable {
        var name: String
        var value: String
        /// Whether a person types the value.
        var isTyped: Bool
        /// The values of a `select`; empty for other inputs.
        var options: [String] = []
        /// The name of the list with suggestions; nil if there is none.
        var list: String?
    }

    /// `get` or `post`.
    var method: String
    /// The address to which the form is sent.
    var action: String
    var inputs: [Input] = []
    /// The values of the buttons that send the form with an `action`.
    var actions: [String] = []
    /// The number of buttons that send the form.
    var buttons = 0

    /// The values of the inputs. Empty ones get the text of `filling`.
    func pairs(filling: (Input) -> String? = { _ in nil }) -> [(String, String)] {
        inputs.map { input in
            if input.isTyped, input.value.isEmpty, let text = filling(input) { return (input.name, text) }
            return (input.name, input.value)
        }
    }

    /// The forms of a page at an address.
    static func all(of html: String, at address: String) -> [PageForm] {
        var forms: [PageForm] = []
        var form: PageForm?
        for tag in HTMLTag.all(of: html) {
            switch tag.name {
            case "form":
                let path = String(address.prefix { $0 != "?" })
                form = PageForm(method: tag["method"] ?? "get", action: tag["action"] ?? path)
            case "/form":
                if let form { forms.append(form) }
                form = nil
            case "select":
                form?.inputs.append(
                    Input(name: tag["name"] ?? "", value: "", isTyped: false))
            case "option": form?.add(option: tag)
            case "textarea":
                if tag["readonly"] == nil {
                    form?.inputs.append(Input(name: tag["name"] ?? "", value: tag.text, isTyped: true))
                }
            case "input": form?.add(input: tag)
            case "button":
                form?.buttons += 1
                if tag["name"] == "action" { form?.actions.append(tag["value"] ?? "") }
            default: break
            }
        }
        return forms
    }

    private mutating func add(option tag: HTMLTag) {
        // The options of a `datalist` are no values of a form.
        guard let value = tag["value"] ?? (tag.text.isEmpty ? nil : tag.text), var last = inputs.popLast()
        else { return }
        if !last.isTyped {
            if last.options.isEmpty || tag["selected"] != nil { last.value = value }
            last.options.append(value)
        }
        inputs.append(last)
    }

    private mutating func add(input tag: HTMLTag) {
        guard let name = tag["name"], tag["disabled"] == nil, tag["readonly"] == nil else { return }
        let kind = tag["type"] ?? "text"
        if kind == "file" || (kind == "checkbox" && tag["checked"] == nil) { return }
        inputs.append(
            Input(
                name: name, value: tag["value"] ?? "", isTyped: kind == "text" || kind == "password",
                list: tag["list"]))
    }
}
