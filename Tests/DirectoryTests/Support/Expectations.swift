import Records
import Testing

/// Expects a call to be refused with an error of that code.
func expect(
    _ code: RecordError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: RecordError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
