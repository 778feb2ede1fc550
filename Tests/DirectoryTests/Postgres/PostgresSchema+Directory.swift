import DirectoryPostgres
import Foundation
import PostgreSQLSupport

@testable import TestKit

extension PostgresSchema {
    /// The schema of the directory that belongs to a folder, whose name is random.
    init(of folder: URL) throws {
        let letters = folder.lastPathComponent.lowercased().filter { $0.isLetter || $0.isNumber }
        self.init("directory_\(letters)", in: try PostgresForTests.requiredAddress())
    }

    /// Opens the directory, or creates it.
    func directory(process: Int64 = 1) throws -> PostgresDirectory {
        try add()
        return try PostgresDirectory(address: address, process: process, connections: 2)
    }
}
