import Foundation
import ObjectModel

@testable import TestKit

/// The sample model: every attribute type, inheritance, all kinds of relationships, three configurations.
enum Circus {
    static let folder = URL.package.appending(path: "Data/Models/Circus.xcdatamodeld")

    static func model() throws -> ModelFile { try ModelFile(at: folder) }

    /// A model with these elements.
    static func model(
        _ elements: String, limits: ModelFile.Limits = ModelFile.Limits()
    ) throws -> ModelFile {
        try ModelFile(
            contents: Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?><model>\(elements)</model>".utf8),
            name: "X.xcdatamodel", limits: limits)
    }
}
