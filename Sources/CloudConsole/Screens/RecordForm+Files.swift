import CloudService
import Records

/// The position of a file in a record: a field and, in a list, the index of the file.
struct FilePosition: Hashable, Sendable {
    var field: String
    var index = 0

    init(_ field: String, _ index: Int = 0) {
        self.field = field
        self.index = index
    }

    /// The position that the address of an image names. An invalid index means the first file.
    init(_ query: FormFields) {
        self.init(query["field"] ?? "", query["index"].flatMap { Int($0) } ?? 0)
    }

    /// The fields for the address of the file as an image.
    var address: [(String, String)] {
        [("field", field)] + (index == 0 ? [] : [("index", String(index))])
    }

    /// The file at this position in a record; nil if there is none.
    func asset(in fields: Fields) -> Asset? {
        guard let elements = fields[field]?.value.elements, elements.indices.contains(index),
            case .asset(let asset) = elements[index]
        else { return nil }
        return asset
    }
}

extension RecordForm {
    /// The input for the file of a field, or for the files of a list.
    struct FileInput: Sendable {
        /// A file that the field has.
        struct Element: Sendable {
            var state: String
            var downloadHref: String?
            /// The address of the file as an image; nil if the page does not show it as an image.
            var imageHref: String?
            /// The name of the checkbox that removes the file.
            var removeName: String
            var removeLabel: String
        }

        /// The name of the input for new files.
        var fileName: String
        var isList: Bool
        /// A note in place of the files of a field that has none.
        var note: String?
        var elements: [Element]
        /// The number of files for which the page has no room; nil if it shows all.
        var hiddenFiles: Int?
    }

    /// The maximum number of files of one list on the page, and of new files of one list in one form.
    private static let filesOfList = 20

    func files(
        _ name: String, _ field: Field?, _ schema: FieldSchema, _ budget: inout PageTextBudget,
        _ place: ConsolePlace
    ) -> FileInput {
        let isList = schema.type.isList
        let all = field?.value.elements ?? []
        var elements: [FileInput.Element] = []
        for (index, value) in all.prefix(Self.filesOfList).enumerated() {
            guard case .asset(let asset) = value else { continue }
            var element = FileInput.Element(
                state: "a file of \(UsageScreen.bytes(asset.size))",
                removeName: isList ? "remove-file.\(index).\(name)" : "remove.\(name)",
                removeLabel: isList ? "Remove file \(index + 1)" : "Remove the file")
            if let href = downloadHref(asset) {
                element.downloadHref = isList ? budget.whole(href, bytes: 2000) : href
                // A list stops where the page has no room for an address.
                if element.downloadHref == nil { break }
            }
            if images.contains(FilePosition(name, index)) {
                element.imageHref = place.path(
                    "image", [("name", recordName)] + FilePosition(name, index).address)
            }
            elements.append(element)
        }
        let hidden = all.count - elements.count
        let none = isList && field != nil ? "an empty list" : "not set"
        return FileInput(
            fileName: fileName(of: name), isList: isList, note: all.isEmpty ? none : nil, elements: elements,
            hiddenFiles: hidden > 0 ? hidden : nil)
    }

    // MARK: The change

    func fileName(of field: String) -> String { "file.\(field)" }

    /// The files of a field that a form keeps; nil if it removes none.
    func keptFiles(of name: String, _ form: FormFields) -> [FieldValue]? {
        guard let field = present[name] else { return nil }
        let all = field.value.elements
        guard field.value.type.isList else { return form["remove.\(name)"] == nil ? nil : [] }
        let kept = all.enumerated().filter { form["remove-file.\($0.offset).\(name)"] == nil }
        return kept.count == all.count ? nil : kept.map(\.element)
    }

    /// Uploads the files of a form, for a record of this type that is saved next. A file replaces that of its
    /// field, or is added to the end of its list. Throws `limitExceeded` for too many files.
    func uploaded(_ form: FormFields, _ request: ScreenRequest) async throws -> Fields {
        var fields = Fields()
        let names = type.fields.filter { $0.value.type.element == .asset && !$0.value.isEncrypted }.keys
        for name in names.sorted(by: { $0.precedesInBytes($1) }) {
            guard let files = form.files[fileName(of: name)] else { continue }
            let isList = type.fields[name]?.type.isList == true
            guard files.count <= (isList ? Self.filesOfList : 1) else {
                throw RecordError(
                    .limitExceeded,
                    "a form adds at most \(Self.filesOfList) files to a list, and one to a field",
                    culprit: name, nextStep: "choose fewer files at a time")
            }
            let upload = RequestedUpload(
                recordName: recordName.isEmpty ? nil : recordName, recordType: type.name, fieldName: name)
            var values: [FieldValue] = []
            for bytes in files {
                values.append(
                    .asset(
                        try await request.service.assets.receive(
                            bytes, for: upload, in: .public, by: try request.caller())))
            }
            guard isList else {
                if let value = values.first { fields[name] = Field(value) }
                continue
            }
            let kept = keptFiles(of: name, form) ?? present[name]?.value.elements ?? []
            fields[name] = Field(.list(.asset, kept + values))
        }
        return fields
    }
}
