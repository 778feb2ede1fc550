import CloudService
import Records

/// Creates the inputs for the fields of a record, and converts the texts of a sent form to a change.
struct RecordForm: Sendable {
    /// An input of the form.
    struct Input: Sendable {
        var id: String
        var name: String
        var inputType: String
        var text: String
        var isLong: Bool
        var isReference: Bool
        var actionName: String
        var actions: [RecordsView.Option]
        /// The reason why the field cannot be changed here; nil if it can.
        var whyReadOnly: String?
        /// Links to the pages of the records to which the field refers.
        var targets: [PageLink] = []
        /// The files of the field, which can be uploaded; nil for any other field.
        var file: FileInput?
    }

    let type: TypeSchema
    let present: Fields
    /// The record's name; empty for a new record.
    var recordName = ""
    /// The files that are images that a page shows.
    var images: Set<FilePosition> = []
    /// Makes the address of a file.
    var downloadHref: @Sendable (Asset) -> String? = { _ in nil }

    /// The maximum number of bytes of a form, with its files.
    static let bytes = 4_194_304
    /// The maximum number of bytes of a value that can be changed here.
    private static let valueBytes = 8000
    /// The maximum number of bytes of all inputs together.
    private static let allBytes = 50_000
    /// The maximum number of links for one list of references.
    private static let linkCount = 10
    /// The maximum number of fields on one page.
    private static let pageSize = 60

    private var names: [String] { type.fields.keys.sorted { $0.precedesInBytes($1) } }

    /// The slice of the fields that begins at the index in the query.
    func slice(_ request: ScreenRequest) -> ListSlice<String> {
        ListSlice(names, from: request.query["from"], size: Self.pageSize)
    }

    /// The range of the fields in a slice, such as `61 to 120 of 400`; nil if it has all of them.
    func range(of slice: ListSlice<String>) -> String? {
        if slice.elements.count == names.count { return nil }
        return "\(slice.start + 1) to \(slice.start + slice.elements.count) of \(names.count)"
    }

    /// The inputs for a slice of the fields, with the current values or those of a refused form.
    func inputs(_ slice: ListSlice<String>, after refused: FormFields?, _ place: ConsolePlace) -> [Input] {
        var budget = PageTextBudget(bytes: Self.allBytes)
        return slice.elements.enumerated().compactMap { index, name in
            type.fields[name].map { input(index, name, $0, refused, &budget, place) }
        }
    }

    private func input(
        _ index: Int, _ name: String, _ schema: FieldSchema, _ refused: FormFields?,
        _ budget: inout PageTextBudget, _ place: ConsolePlace
    ) -> Input {
        let field = present[name]
        let text = field.map { ValueText.beginning(of: $0.value, bytes: Self.valueBytes) } ?? ""
        var input = Input(
            id: "value-\(index)", name: "value.\(name)", inputType: schema.type.name, text: "",
            isLong: schema.type.isList || schema.type.element == .string,
            isReference: schema.type.element == .reference, actionName: "action.\(name)", actions: [])
        if schema.isEncrypted {
            input.whyReadOnly =
                field == nil ? "encrypted, and not set" : "encrypted, so it cannot be changed here"
            return input
        }
        if schema.type.element == .asset {
            input.file = files(name, field, schema, &budget, place)
            return input
        }
        let (shown, isCut) = budget.take(refused?[input.name] ?? text, bytes: Self.valueBytes)
        if isCut {
            let size = text.utf8.count
            let bytes = size > Self.valueBytes ? "more than \(Self.valueBytes)" : "\(size)"
            input.whyReadOnly = "\(bytes) bytes, too many to be changed here"
            return input
        }
        input.text = shown
        input.targets =
            field?.value.elements.prefix(Self.linkCount).compactMap { element in
                guard case .reference(let reference) = element else { return nil }
                let address = place.path("record", [("name", reference.recordName)])
                guard let href = budget.whole(address, bytes: 1000) else { return nil }
                return PageLink(
                    href: href, label: budget.shortened(reference.recordName, bytes: 60))
            } ?? []
        if input.isReference { input.actions = Self.options(field) }
        return input
    }

    /// The actions of a reference by the values of their options.
    private static let actionNames: [(String, Reference.Action, String)] = [
        ("none", .none, "keeps this record when its target is deleted"),
        ("deleteSelf", .deleteSelf, "deletes this record with its target"),
        ("validate", .validate, "keeps its target from being deleted"),
    ]

    private static func options(_ field: Field?) -> [RecordsView.Option] {
        let present = action(of: field)
        return actionNames.map { name, action, label in
            RecordsView.Option(value: name, label: label, isSelected: action == present)
        }
    }

    private static func action(of field: Field?) -> Reference.Action {
        guard case .reference(let reference)? = field?.value.elements.first else { return .none }
        return reference.action
    }

    // MARK: The change

    /// The fields that a form sets, and the names of the fields that it removes. A value that the form
    /// contains unchanged is not set, so that the parts of it that the page does not show are kept.
    func change(_ form: FormFields) throws(RecordError) -> (set: Fields, removed: [String]) {
        var (set, removed) = (Fields(), [String]())
        for name in names {
            guard let schema = type.fields[name], !schema.isEncrypted else { continue }
            if schema.type.element == .asset {
                // The files that are uploaded replace or continue what is kept.
                if form.files[fileName(of: name)] != nil { continue }
                guard let kept = keptFiles(of: name, form) else { continue }
                if kept.isEmpty { removed.append(name) } else { set[name] = Field(.list(.asset, kept)) }
                continue
            }
            guard let typed = form["value.\(name)"]
            else { continue }
            let known = present[name]
            let action = Self.actionNames.first { $0.0 == form["action.\(name)"] }?.1 ?? .none
            // The typed text has no CR any more, so the stored text may have up to twice as many bytes.
            let text = known.map { ValueText.beginning(of: $0.value, bytes: 2 * typed.utf8.count) } ?? ""
            let isReference = schema.type.element == .reference
            if typed == FormFields.withPlainBreaks(text), !isReference || action == Self.action(of: known) {
                continue
            }
            if typed.isEmpty {
                if known != nil { removed.append(name) }
            } else {
                set[name] = Field(try ValueText.value(typed, schema.type, field: name, action: action))
            }
        }
        return (set, removed)
    }
}

extension Fields {
    /// The fields as lines. The values have about `bytes` bytes together. Each has an equal share of them,
    /// but at least 16 bytes, so that a long value does not displace the others. An encrypted value is shown
    /// as `encrypted`.
    func lines(bytes: Int) -> String {
        let share = bytes / Swift.max(1, names.count)
        var budget = PageTextBudget(bytes: .max)
        return map { name, field in
            let text = field.isEncrypted ? "encrypted" : ValueText.beginning(of: field.value, bytes: share)
            return "\(name) = \(budget.shortened(text, bytes: Swift.max(16, share)))"
        }
        .joined(separator: "\n")
    }

    /// The fields of these names.
    func only(_ names: some Sequence<String>) -> Fields {
        var fields = Fields()
        for name in names { fields[name] = self[name] }
        return fields
    }
}
