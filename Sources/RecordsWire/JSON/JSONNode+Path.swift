package import Records
import Synchronization

extension JSONNode {
    /// The path of this value, such as `operations[3].record.fields.year.value`; empty for the root, and
    /// after many paths in long lists.
    ///
    /// It is computed on demand by walking down from the root, because only errors need it.
    package var path: String {
        if document.pathWork.load(ordering: .relaxed) >= JSONDocument.maximumPathWork { return "" }
        var path = ""
        var container = document.root
        while container.index != index {
            guard let (step, child) = container.step(towards: index) else { break }
            path += path.isEmpty && step.hasPrefix(".") ? String(step.dropFirst()) : step
            container = child
        }
        return path
    }

    /// The error for a value with the wrong JSON type.
    package func unexpected(nextStep: String? = nil) -> RecordError {
        RecordError(.badRequest, unexpectedInput, culprit: path, nextStep: nextStep)
    }

    /// The error for a value that does not match its declared type.
    package func invalid(expected type: String) -> RecordError {
        let isList = kind == .array && !type.hasSuffix("_LIST")
        let reason =
            isList
            ? "BadRequestException: Invalid value, expected type \(type) but actual value was a list"
            : "Invalid value, expected type \(type)."
        return RecordError(.badRequest, reason, culprit: path)
    }

    /// The error for a missing member.
    package func missing(_ key: StaticString) -> RecordError {
        let path = path
        return RecordError(
            .badRequest,
            unexpectedInput,
            culprit: path.isEmpty ? "\(key)" : "\(path).\(key)",
            nextStep: "add \(key)"
        )
    }

    /// The value of a member, or an error if it is absent or null.
    package func required(_ key: StaticString) throws(RecordError) -> JSONNode {
        guard let value = self[key] else { throw missing(key) }
        return value
    }

    /// The child that contains the entry `target`, and its part of the path.
    private func step(towards target: Int) -> (String, JSONNode)? {
        var passed = 0
        defer { _ = document.pathWork.wrappingAdd(passed, ordering: .relaxed) }
        for (key, value) in members {
            passed += 1
            if target < Int(value.entry.next) { return (".\(key.stringValue ?? "")", value) }
        }
        for (position, element) in elements.enumerated() {
            passed += 1
            if target < Int(element.entry.next) { return ("[\(position)]", element) }
        }
        return nil
    }
}
