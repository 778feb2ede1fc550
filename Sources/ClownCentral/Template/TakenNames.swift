// Owns which names a new app, its entities and their fields cannot have, and what to call them instead.
import CommandShell
import Foundation

/// Names with which what is made would not build.
enum TakenNames {
    /// Throws a complaint for a name that an app cannot have.
    static func checkApp(_ name: String) throws {
        guard EntitySpec.isName(name), name.first?.isUppercase == true else {
            throw Complaint.usage("an app is called like a type, such as TaskBook, not `\(name)`")
        }
        let isModule = modules.contains(name) || families.contains { name.hasPrefix($0) }
        guard isModule || used.contains(name) else { return }
        let owner = isModule ? "a module of that name is among those that it is built with" : own
        throw Complaint.usage(
            "an app cannot be called `\(name)`: \(owner)", suggestions: ["\(name)App"])
    }

    /// Throws a complaint for a name that an entity cannot have.
    static func checkEntity(_ name: String) throws {
        let reason =
            commands.contains(name.lowercased())
            ? "that is a command already"
            : keywords.contains(name) || imported.contains(name)
                ? "Swift keeps it for itself" : used.contains(name) ? own : nil
        guard let reason else { return }
        throw Complaint.usage(
            "an entity cannot be called `\(name)`: \(reason)", suggestions: ["\(name)Item"])
    }

    /// Throws a complaint for a name that a field cannot have.
    static func checkField(_ name: String) throws {
        guard EntitySpec.isName(name), name.first?.isLowercase == true else {
            throw Complaint.usage("a field is called like a property, such as `dueDate`, not `\(name)`")
        }
        let reason =
            keywords.contains(name)
            ? "Swift keeps it for itself" : members.contains(name) ? "each model has one already" : nil
        guard let reason else { return }
        throw Complaint.usage(
            "a field cannot be called `\(name)`: \(reason)", suggestions: ["\(name)Value"])
    }

    private static let own = "the code that is made uses that name itself"
    private static let commands: Set<String> = ["sync", "help"]

    /// The types and modules that the code of any app names, those of its own included.
    static let used: Set<String> = {
        let fields = EntitySpec.Kind.allCases.map { EntitySpec.Field(name: $0.rawValue, kind: $0) }
        let template = AppTemplate(
            name: "x", entities: [EntitySpec(name: "x", fields: fields)], cloudlet: "")
        let code = template.files.filter { $0.path.hasSuffix(".swift") && $0.path != "Package.swift" }
        return code.reduce(into: []) { $0.formUnion(types(in: $1.text)) }
    }()

    /// The words of code that begin with a capital letter, members, comments and texts aside.
    private static func types(in code: String) -> Set<String> {
        let lines = code.replacing(/"""[^"]*"""/, with: "").split(separator: "\n")
        let bare = lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            .joined(separator: "\n").replacing(/"[^"\n]*"/, with: "")
        return Set(
            bare.matches(of: /(^|[^.\w])([A-Z]\w*)/.anchorsMatchLineEndings()).map { String($0.2) })
    }

    /// What macros and the compiler refer to by these names.
    private static let imported: Set<String> = ["Swift", "Testing", "Foundation", "Type", "Protocol"]

    /// What a property of a model would be declared twice as.
    private static let members: Set<String> = ["id", "line", "set", "write", "hash", "hashValue"]

    private static let keywords: Set<String> = [
        "Any", "Self", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case", "catch",
        "class", "consuming", "continue", "default", "defer", "deinit", "do", "each", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Modules of Cloudlet, of what it is built with, and of the toolchain, beside the families below.
    private static let modules: Set<String> = [
        "Algorithms", "Android", "ApplePush", "ArgumentParser", "ArgumentParserToolInfo", "AssetStore",
        "Atomics", "BasicContainers", "BitCollections", "Builtin", "CSystem", "CXKCP", "CXKCPShims",
        "ClownCentral", "CloudletShell", "Collections", "CommandShell", "ComplexModule", "ConcurrencyHelpers",
        "ContainersPreview", "CoreLocation", "CoreMetrics", "Cxx", "CxxStdlib", "DequeModule", "Dispatch",
        "Distributed", "GRDB", "Glibc", "HashTreeCollections", "HeapModule", "InMemoryLogging",
        "InMemoryTracing", "InternalCollectionsUtilities", "JWTKit", "LocalReplica", "Logging", "Metrics",
        "MetricsTestKit", "Musl", "Mustache", "Numerics", "Observation", "OrderedCollections",
        "RawStructuredFieldValues", "RealModule", "RecordStore", "RecordStoreSQLite", "Records",
        "RecordsWire", "RegexBuilder", "SortedCollections", "StructuredFieldValues", "Subprocess",
        "Synchronization", "SystemPackage", "Testing", "Tracing", "TrailingElementsModule", "UnixSignals",
        "WinSDK", "X509", "XCTest",
    ]

    /// What the names of modules begin with.
    private static let families = [
        "Async", "CAsync", "CCrypto", "CNIO", "Cloud", "Configuration", "Crypto", "Foundation", "HTTPTypes",
        "Hummingbird", "Instrumentation", "NIO", "ServiceContext", "ServiceLifecycle", "Swift",
    ]
}
