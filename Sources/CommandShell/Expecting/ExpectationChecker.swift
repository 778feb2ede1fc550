import Foundation

/// Checks claims against a result.
struct ExpectationChecker {
    let result: LastResult
    /// The current time, which relative times in a claim count from.
    let now: Date

    /// The reason why the claim does not hold; nil if it holds.
    func failure(of expectation: Expectation) -> String? {
        switch (expectation, result) {
        case (_, .nothing): "there is no result yet"
        case (.error(let code), _): errorFailure(code)
        case (.contains(let text), _): containsFailure(text)
        case (_, .shellError(let shellError)): "the command failed: \(shellError.code), \(shellError.message)"
        case (.ok, .answer(let answer)): answer.failures.first.map { "a part of it failed: \($0.message)" }
        case (.none, .answer(let answer)): countFailure(.equal, 0, in: answer)
        case (.count(let comparison, let count), .answer(let answer)):
            countFailure(comparison, count, in: answer)
        case (.field(let field, let comparison, let operand), .answer(let answer)):
            fieldFailure(field, comparison, operand, in: answer)
        case (.every(let field, let comparison, let operand), .answer(let answer)):
            everyFailure(field, comparison, operand, in: answer)
        case (.sorted(let field, let descending), .answer(let answer)):
            sortFailure(field, descending: descending, in: answer)
        }
    }

    private func errorFailure(_ code: String?) -> String? {
        let found: [String] =
            switch result {
            case .nothing: []
            case .shellError(let shellError): [shellError.code]
            case .answer(let answer): answer.failures.map(\.code)
            }
        if found.isEmpty { return "the command succeeded" }
        guard let code, !found.contains(code) else { return nil }
        return "the command failed with \(found.joined(separator: ", ")) and not with \(code)"
    }

    private func containsFailure(_ text: String) -> String? {
        let found: [String] =
            switch result {
            case .nothing: []
            case .shellError(let shellError): [shellError.code, shellError.message] + shellError.candidates
            case .answer(let answer): Self.texts(of: answer)
            }
        let holds = found.contains { $0.range(of: text, options: .caseInsensitive) != nil }
        return holds ? nil : "nothing contains `\(text)`"
    }

    private static func texts(of answer: Answer) -> [String] {
        var texts = answer.entries.flatMap { $0.fields.map(\.value.text) }
        texts += answer.facts.map(\.value.text) + answer.notes + answer.failures.map(\.message)
        if case .text(let text) = answer.form { texts.append(text) }
        return texts
    }

    private func countFailure(_ comparison: Comparison, _ count: Int, in answer: Answer) -> String? {
        let found = answer.entries.count
        return comparison.holds(found, count) ? nil : "the number of records is \(found)"
    }

    private func fieldFailure(
        _ field: FieldName,
        _ comparison: Comparison,
        _ operand: String,
        in answer: Answer
    ) -> String? {
        let index = (field.record ?? 1) - 1
        let fact = field.record == nil ? Value.fields(answer.facts)[field.path[...]] : nil
        guard answer.entries.indices.contains(index) || fact != nil else {
            return "there are \(answer.entries.count) records"
        }
        let inRecord = answer.entries.indices.contains(index) ? answer.entries[index].value(field.path) : nil
        guard let value = inRecord ?? fact else { return "there is no field \(field.text)" }
        return holds(value, comparison, operand) ? nil : "\(field.text) is \(Self.shown(value))"
    }

    private func everyFailure(
        _ field: FieldName,
        _ comparison: Comparison,
        _ operand: String,
        in answer: Answer
    ) -> String? {
        if answer.entries.isEmpty { return "there are no records" }
        for (index, entry) in answer.entries.enumerated() {
            guard let value = entry.value(field.path) else { return "there is no field \(field.text)" }
            if !holds(value, comparison, operand) {
                return "\(field.text)[\(index + 1)] is \(Self.shown(value))"
            }
        }
        return nil
    }

    private func sortFailure(_ field: FieldName, descending: Bool, in answer: Answer) -> String? {
        if answer.entries.isEmpty { return "there are no records" }
        let values = answer.entries.map { $0.value(field.path) }
        if values.contains(nil) { return "there is no field \(field.text)" }
        for (index, pair) in zip(values, values.dropFirst()).enumerated() {
            guard let left = pair.0, let right = pair.1, let order = Self.order(left, right) else { continue }
            if order == (descending ? .orderedAscending : .orderedDescending) {
                return "\(Self.shown(left)) comes before \(Self.shown(right)) at record \(index + 1)"
            }
        }
        return nil
    }

    private static func shown(_ value: Value) -> String {
        value == .missing ? "none" : value.json.text
    }
}
