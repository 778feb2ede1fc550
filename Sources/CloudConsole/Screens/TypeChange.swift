import CloudHTTP
import CloudService
import Records

/// Applies the changes of a form to one record type, and writes the audit log.
struct TypeChange: Sendable {
    let type: String
    let place: ConsolePlace
    let request: ScreenRequest

    private var schemas: SchemaService { request.service.schemas }

    func addField(_ form: FormFields) async throws -> String {
        let field = try form.required("field")
        let (kind, isEncrypted) = try fieldType(form)
        try await log("field.add", "\(type).\(field)") {
            try await schemas.addField(
                field, kind, isEncrypted: isEncrypted, to: type, in: place.container)
        }
        return "The field \(field) was added."
    }

    func removeField(_ form: FormFields) async throws -> String {
        let field = try form.required("field")
        try await remove(field)
        return "The field \(field) was deleted with its values."
    }

    /// Deletes a field with its values, and adds it with another type.
    func replaceField(_ form: FormFields) async throws -> String {
        let field = try form.required("field")
        let (kind, isEncrypted) = try fieldType(form)
        // Checks first that the field can be added again, before it is deleted.
        try schemas.checkField(field, kind, isEncrypted: isEncrypted)
        try await remove(field)
        try await log("field.add", "\(type).\(field)") {
            try await schemas.addField(
                field, kind, isEncrypted: isEncrypted, to: type, in: place.container)
        }
        return "The field \(field) is of the type \(kind.name) now."
    }

    private func remove(_ field: String) async throws {
        try await log("field.remove", "\(type).\(field)") {
            try await schemas.deleteFromSchema(.field(field, of: type), of: place.container)
        }
    }

    /// Sets the indexes of a field whose checkbox the operator has changed. An index whose checkbox is
    /// unchanged stays as it is, also if somebody else has changed it since the page was loaded.
    ///
    /// An index is dropped only by a form of the page of the field's indexes, which says what that frees.
    /// Other forms lead to that page.
    func setIndexes(_ form: FormFields, on page: String) async throws -> Outcome {
        let field = try form.required("field")
        let (was, ticked) = (Set(form.all("was")), Set(form.all("index")))
        let schema = try await schemas.schema(of: place.container, in: .development)
        let known =
            SystemField(spelling: field).map { schema.types[type]?.indexes(of: $0) ?? [] }
            ?? schema.types[type]?.fields[field]?.indexes ?? []
        var (freed, toReview, hasChanged): (Int64?, [String], Bool) = (nil, [], false)
        for (name, index) in TypeView.indexNames where ticked.contains(name) != was.contains(name) {
            let isMeant = ticked.contains(name)
            if isMeant == known.contains(index) { continue }
            if !isMeant, form["reviewed"] == nil {
                toReview.append(name)
                continue
            }
            hasChanged = true
            let change = try await log(
                isMeant ? "index.add" : "index.remove", "\(type).\(field) \(name)"
            ) {
                try await schemas.setIndex(
                    index, on: field, of: type, in: place.container, isThere: isMeant)
            }
            if let bytes = change.freedBytes { freed = (freed ?? 0).addingSaturated(bytes) }
        }
        let elsewhere = TypeView.indexNames.map { ($0.0, known.contains($0.1)) }
        let note = Self.note(elsewhere, was: was)
        if toReview.isEmpty {
            let done = "The indexes of \(field) were set." + Self.freedText(freed)
            return .redirect(to: page, notice: done + note)
        }
        let done = hasChanged ? "The other indexes of \(field) were set. " : ""
        return .redirect(
            to: place.path("indexes", [("type", type), ("field", field)]),
            notice: done + "Not dropped yet: \(toReview.joined(separator: ", ")). See here what dropping an "
                + "index frees, then drop it." + note)
    }

    /// A note of the space that a drop of indexes has freed; empty if it freed none or that is not known.
    static func freedText(_ bytes: Int64?) -> String {
        guard let bytes, bytes > 0 else { return "" }
        return " \(UsageScreen.bytes(bytes)) became free in the public database."
    }

    /// A note that names the settings which somebody else has changed since the page was loaded; empty if
    /// there are none.
    private static func note(_ boxes: [(name: String, isOn: Bool)], was: Set<String>) -> String {
        let changed = boxes.filter { was.contains($0.name) != $0.isOn }
        if changed.isEmpty { return "" }
        var budget = PageTextBudget(bytes: 1000)
        let names = changed.map { "\(budget.shortened($0.name, bytes: 100)) \($0.isOn ? "on" : "off")" }
        return " Since you loaded the page, somebody else has changed: " + names.joined(separator: ", ") + "."
    }

    /// Sets the grants whose checkbox the operator has changed. A grant whose checkbox is unchanged stays as
    /// it is, also if somebody else has changed it since the page was loaded.
    func setGrants(_ form: FormFields) async throws -> String {
        let (was, ticked) = (Set(form.all("was")), Set(form.all("grant")))
        let schema = try await schemas.schema(of: place.container, in: .development)
        let grants = schema.types[type]?.grants ?? Grants()
        for role in form.all("role") {
            for permission in Permission.allCases {
                let box = "\(permission.rawValue) \(role)"
                let isMeant = ticked.contains(box)
                if was.contains(box) == isMeant { continue }
                if grants[Role(name: role)].contains(permission) == isMeant { continue }
                let subject = "\(permission.rawValue) on \(type): \(role)"
                try await log(isMeant ? "grant.add" : "grant.remove", subject) {
                    try await schemas.setGrant(
                        permission, on: type, to: role, in: place.container, isThere: isMeant)
                }
            }
        }
        let elsewhere = form.all("role").flatMap { role in
            Permission.allCases.map { ("\($0.rawValue) \(role)", grants[Role(name: role)].contains($0)) }
        }
        return "The permissions on \(type) were set." + Self.note(elsewhere, was: was)
    }

    func deleteType(_ form: FormFields) async throws -> String {
        guard form.text("confirm") == type else {
            throw RecordError(
                .badRequest, "the name that was typed is not that of the record type", culprit: "confirm",
                nextStep: "type \(type) to delete it")
        }
        try await log("type.delete", type) {
            try await schemas.deleteFromSchema(.type(type), of: place.container)
        }
        return "The record type \(type) was deleted with its records."
    }

    private func fieldType(_ form: FormFields) throws(RecordError) -> (FieldType, isEncrypted: Bool) {
        let name = form["type"] ?? ""
        guard let type = FieldType.allCases.first(where: { $0.name == name }) else {
            throw RecordError(
                .badRequest, "there is no such type of fields", culprit: name, nextStep: "choose a type")
        }
        return (type, form["encrypted"] != nil)
    }

    /// Makes a change. The audit log records a step before it begins, and the differences afterwards.
    @discardableResult
    private func log(
        _ action: String, _ subject: String, _ work: () async throws -> SchemaComparison
    ) async throws -> SchemaComparison {
        try await request.change?.beginStep()
        let change = try await work()
        let line = change.differences.map { change.text(of: $0) }.joined(separator: "\n")
        if line.isEmpty { return change }
        let isRemoval = action.hasSuffix("remove") || action.hasSuffix("delete")
        try await request.log(
            action, subject, before: isRemoval ? line : nil, after: isRemoval ? nil : line)
        return change
    }
}
