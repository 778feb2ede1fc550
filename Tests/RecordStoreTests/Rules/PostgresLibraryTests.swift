import PostgreSQLSupport
import Records
import Testing

@Suite("The library of PostgreSQL")
struct PostgresLibraryTests {
    @Test("A missing or incomplete library is named, with the reason and the package to install")
    func missing() {
        let missing = #expect(throws: RecordError.self) { try PostgresLibrary.load(["libpq-of-nobody.so"]) }
        #expect(missing?.culprit == "libpq")
        #expect(missing?.nextStep?.contains("libpq5") == true)
        #expect(missing?.diagnosis?.contains("libpq-of-nobody.so") == true)
        // A library with other functions.
        let other = #expect(throws: RecordError.self) {
            try PostgresLibrary.load(["libpq-of-nobody.so", "libsqlite3.so.0", "libsqlite3.dylib"])
        }
        #expect(other?.diagnosis == "it has no function PQconnectdb")
    }
}
