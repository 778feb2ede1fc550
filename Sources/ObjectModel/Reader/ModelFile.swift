public import Foundation
import Records

/// A data model of Xcode that was read from its source: `X.xcdatamodeld`, or one version of it,
/// `X.xcdatamodel`.
///
/// ```swift
/// let model = try ModelFile(at: folder.appendingPathComponent("Circus.xcdatamodeld"))
/// let layout = try model.layout(configuration: "Cloud")
/// ```
///
/// The reader does not trust the file: it refuses a file that is larger than the ``Limits`` allow, or that
/// has a document type declaration, because XML entities declared there could expand without end.
public struct ModelFile: Sendable {
    /// The most that a file may contain.
    public struct Limits: Sendable {
        /// Bytes of a file.
        public var bytes = 8_000_000
        /// Entities.
        public var entities = 1_000
        /// Attributes and relationships of all entities.
        public var properties = 10_000
        /// Configurations.
        public var configurations = 100
        /// Member entities of all configurations.
        public var members = 10_000
        /// The nesting depth of elements.
        public var depth = 16
        /// Warnings that are kept.
        public var warnings = 100

        /// Creates the default limits.
        public init() {}
    }

    /// The name of the file that was read, such as `Circus 2.xcdatamodel`.
    public let name: String
    /// The entities in the order of the file.
    public let entities: [StoreLayout.Entity]
    /// The configurations in the order of the file.
    public let configurations: [StoreLayout.Configuration]
    /// The parts of the file that are unknown or have no effect here, one text each.
    public let warnings: [String]
    /// Values that the reader cannot represent.
    private let unreadable: [MirroredStoreError]

    /// Reads a model.
    ///
    /// - Parameter url: a folder `X.xcdatamodeld`, whose current version is read, or `X.xcdatamodel`.
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel` if the file cannot be read, is no
    ///   model, or exceeds a limit.
    public init(at url: URL, limits: Limits = Limits()) throws {
        let version = try ModelFolder(limits: limits).version(of: url)
        try self.init(
            contents: try ModelFolder(limits: limits).contents(of: version), name: version.lastPathComponent,
            limits: limits)
    }

    package init(contents: Data, name: String, limits: Limits = Limits()) throws {
        let parser = ModelParser(name: name, limits: limits)
        try parser.parse(contents)
        self.name = name
        entities = parser.entities
        configurations = parser.configurations
        warnings = parser.warnings
        unreadable = parser.problems
    }

    /// The layout of a store, for one configuration or for all entities.
    ///
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel` for the first rule that is broken, or
    ///   `unknownName` if the model has no such configuration. The culprit names the file.
    public func layout(configuration: String? = nil) throws -> StoreLayout {
        if let problem = problems(configuration: configuration, isMirrored: false).first { throw problem }
        return try StoreLayout(entities, configuration: try self.configuration(configuration))
    }

    /// All rules that the model breaks.
    package func problems(configuration name: String?, isMirrored: Bool) -> [MirroredStoreError] {
        if !unreadable.isEmpty { return unreadable }
        let chosen: StoreLayout.Configuration?
        do { chosen = try configuration(name) } catch { return [error] }
        var (list, problems) = StoreLayout.entities(of: chosen, in: entities)
        if list.isEmpty {
            problems.append(
                .model(
                    name ?? "the model", "it has no entities",
                    next: name == nil ? "add one" : "add entities to the configuration, or choose another"))
        }
        problems += LayoutRules(list, InheritanceTree(list)).problems
        if isMirrored { problems += StoreLayout.mirroringProblems(in: list) }
        return problems.map { $0.inFile(self.name) }
    }

    private func configuration(
        _ name: String?
    ) throws(MirroredStoreError) -> StoreLayout.Configuration? {
        guard let name else { return nil }
        if let known = configurations.first(where: { $0.name == name }) { return known }
        let names = configurations.map(\.name)
        throw MirroredStoreError(
            .unknownName, "\(self.name): \(name)", "the model has no such configuration",
            nextStep: names.isEmpty ? "leave it out: the model has none" : "use one of \(names)")
    }
}

extension MirroredStoreError {
    /// The error with the file in front of the culprit.
    func inFile(_ name: String) -> MirroredStoreError {
        MirroredStoreError(code, "\(name): \(culprit)", reason, nextStep: nextStep)
    }
}
