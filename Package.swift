// swift-tools-version: 6.2
// The targets of the package. All dependencies lead to Records; Architecture.md describes each target.

import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The condition for dependencies that only programs with network access need.
let networking = TargetDependencyCondition.when(traits: ["Networking"])

/// Products that several targets use.
extension Target.Dependency {
    static let argumentParser: Self = .product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncHTTPClient: Self = .product(name: "AsyncHTTPClient", package: "async-http-client")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite: Self = .product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio")
    static let nioFileSystem: Self = .product(name: "_NIOFileSystem", package: "swift-nio")
    static let nioHTTP1: Self = .product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPCompression: Self = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl")
    static let serviceLifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let subprocess: Self = .product(name: "Subprocess", package: "swift-subprocess")
}

extension Target {
    /// A target of the folder `Sources` with the common settings.
    static func room(_ name: String, _ dependencies: [Dependency]) -> Target {
        .target(name: name, dependencies: dependencies, swiftSettings: house)
    }

    /// A target of the folder `Tests` with the common settings.
    static func tests(_ name: String, _ dependencies: [Dependency]) -> Target {
        .testTarget(name: name, dependencies: dependencies, swiftSettings: house)
    }
}

let package = Package(
    name: "cloudlet",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Records", targets: ["Records"]),
        .library(name: "Cloudlet", targets: ["Cloudlet"]),
        .library(name: "CloudKit", targets: ["CloudKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "CloudSync", targets: ["CloudSync", "LocalReplica"]),
        .library(name: "MirroredStore", targets: ["MirroredStore"]),
        .library(name: "CollaborativeText", targets: ["CollaborativeText"]),
        .library(name: "CloudletServer", targets: ["CloudletServer"]),
        .library(name: "CloudletTesting", targets: ["CloudletTesting"]),
        .library(name: "CommandShell", targets: ["CommandShell"]),
        .executable(name: "clown-central", targets: ["clown-central"]),
        .executable(name: "cloudlet", targets: ["cloudlet-command"]),
        .executable(name: "benchmarks", targets: ["Benchmarks"]),
    ],
    traits: [
        .trait(
            name: "Networking",
            description:
                "Clients reach servers over HTTP, servers use HTTPS, Apple's pushes and object stores."
        ),
        .default(enabledTraits: ["Networking"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // The values, their JSON, the rows that are copied between engines, and two contracts: of the stores
        // of records, and of the directories of people, tokens and schemas. Both engines implement them.
        .target(name: "Records", swiftSettings: house),
        .room("RecordsWire", ["Records"]),
        .room("DataRows", []),
        .room("RecordStore", ["DataRows", "Records"]),
        .room("Directory", ["Records"]),
        .room("SQLiteSupport", ["DataRows", "Records", .grdb, .grdbSQLite]),
        .room("DirectorySQLite", ["Directory", "SQLiteSupport", "DataRows", "Records", .grdb]),
        .room(
            "RecordStoreSQLite", ["RecordStore", "SQLiteSupport", "DataRows", "Records", .grdb, .grdbSQLite]),
        // It loads libpq when a server uses PostgreSQL, so building needs no libpq.
        .target(name: "CPostgres"),
        .room("PostgreSQLSupport", ["DataRows", "Records", "CPostgres"]),
        .room("RecordStorePostgres", ["RecordStore", "PostgreSQLSupport", "DataRows", "Records"]),
        .room("DirectoryPostgres", ["Directory", "PostgreSQLSupport", "DataRows", "Records"]),
        .room("AssetStore", ["Records", .crypto, .nioCore, .nioFileSystem]),
        .room("AssetStoreS3", ["AssetStore", "Records", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1]),

        // The server: services, HTTP, data folder, composition.
        .room(
            "CloudService",
            ["RecordStore", "Directory", "AssetStore", "Records", .crypto, .cryptoExtras, .nioCore]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .room(
            "CloudHTTP",
            [
                "CZlib", "CloudService", "RecordsWire", "Records", .hummingbird, .httpTypes, .logging,
                .nioCore,
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]),
        .room(
            "CloudConsole",
            ["CloudHTTP", "CloudService", "RecordsWire", "Records", .crypto, .hummingbird, .httpTypes]),
        .room(
            "ApplePush",
            [
                "CloudService", "RecordsWire", "Records", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1,
                .nioSSL,
                .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        .room(
            "ServerData",
            [
                "CloudService", "RecordStoreSQLite", "RecordStore", "DirectorySQLite", "Directory",
                "SQLiteSupport", "AssetStore", "DataRows", "RecordsWire", "Records", .crypto, .grdb,
                .nioPosix,
            ]),
        .systemLibrary(name: "CMemory"),
        .target(
            name: "CloudletServer",
            dependencies: [
                "CMemory", "CloudConsole", "CloudHTTP", "ServerData", "CloudService", "DirectorySQLite",
                "DirectoryPostgres", "RecordStorePostgres", "PostgreSQLSupport", "Directory", "SQLiteSupport",
                "AssetStore", "RecordStore", "RecordsWire", "Records", .hummingbird, .httpTypes, .nioCore,
                .nioHTTP1, .nioPosix, .nioFileSystem, .serviceLifecycle, .logging,
                .target(name: "ApplePush", condition: networking),
                .target(name: "AssetStoreS3", condition: networking),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: networking),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: networking),
            ],
            swiftSettings: house
        ),

        // The client: the modules that an app imports. Every package in the same build can import
        // CoreLocation, so CoreLocation depends on no other target.
        .target(name: "CoreLocation", swiftSettings: house),
        .target(name: "CArchiveNames"),
        .target(
            name: "Cloudlet",
            dependencies: [
                "CArchiveNames", "CoreLocation", "RecordsWire", "Records", .crypto, .cryptoExtras,
                .nioCore, .nioPosix,
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: networking),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: networking),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: networking),
            ],
            swiftSettings: house
        ),
        .target(name: "CloudKit", dependencies: ["Cloudlet"], swiftSettings: house),
        .room("LocalReplica", ["RecordsWire", "Records", .crypto, .grdb, .grdbSQLite]),
        .room("CloudSync", ["Cloudlet", "LocalReplica", "Records"]),
        .room("ObjectModel", ["Records"]),
        .room(
            "MirroredStore",
            [
                "CloudSync", "Cloudlet", "LocalReplica", "ObjectModel", "RecordsWire", "Records", .crypto,
                .grdb,
            ]),
        .room("CollaborativeText", []),
        .room("CloudletTesting", ["CloudletServer", "Cloudlet", "RecordsWire", "Records"]),

        // A shell for any program, the commands for any container, the sample app, which uses only the public
        // API, and the two command lines.
        .systemLibrary(name: "CWidth"),
        .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
        .target(
            name: "CommandShell",
            dependencies: ["CReadline", "CWidth", .argumentParser, .subprocess],
            swiftSettings: house
        ),
        .target(
            name: "CloudletShell",
            dependencies: [
                "CommandShell", "CloudletServer", "Cloudlet", "RecordsWire", "Records", .argumentParser,
                .subprocess,
            ],
            swiftSettings: house
        ),
        .plugin(name: "EmbedTemplate", capability: .buildTool(), path: "Sources/EmbedTemplate"),
        .target(
            name: "ClownCentral",
            dependencies: [
                "CloudletShell", "CommandShell", "CloudSync", "CollaborativeText", "LocalReplica", "Cloudlet",
                "CloudletServer", "MirroredStore", "Records", .subprocess,
            ],
            packageAccess: false,
            swiftSettings: house,
            plugins: ["EmbedTemplate"]
        ),
        .executableTarget(
            name: "clown-central",
            dependencies: ["ClownCentral", "CloudletShell", "CommandShell", .argumentParser],
            packageAccess: false,
            swiftSettings: house
        ),
        .executableTarget(
            name: "cloudlet-command",
            dependencies: [
                "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet", "ObjectModel", "RecordsWire",
                "Records", .crypto, .argumentParser, .subprocess,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house
        ),
        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CEpoll", "CloudletTesting", "CollaborativeText", "CloudSync", "LocalReplica",
                "MirroredStore", "CloudletServer", "Cloudlet", "RecordStoreSQLite", "RecordStorePostgres",
                "PostgreSQLSupport", "CPostgres", "RecordStore", "RecordsWire", "Records", .hummingbird,
                .nioPosix, .crypto, .grdb, .argumentParser,
            ],
            swiftSettings: house
        ),

        // Each target has tests in one of the same name with the suffix Tests. Three more are shared: TestKit
        // (folders, programs, raw HTTP, random values), ServerKit (a server, clients), ShellKit (the shell).
        .target(
            name: "TestKit",
            dependencies: ["DataRows", "RecordsWire", "Records", .grdb, .nioCore, .nioPosix, .subprocess],
            path: "Tests/TestKit", swiftSettings: house
        ),
        .target(
            name: "ServerKit",
            dependencies: [
                "TestKit", "CloudletTesting", "CloudletServer", "CloudHTTP", "CloudService", "RecordsWire",
                "Records", .asyncHTTPClient, .crypto, .httpTypes, .hummingbird, .logging, .nioCore, .nioSSL,
            ],
            path: "Tests/ServerKit", swiftSettings: house
        ),
        .tests("RecordsTests", ["Records"]),
        .tests("RecordsWireTests", ["TestKit", "RecordsWire", "Records"]),
        .tests(
            "DirectoryTests",
            [
                "TestKit", "DirectoryPostgres", "DirectorySQLite", "Directory", "PostgreSQLSupport",
                "SQLiteSupport", "DataRows", "Records",
            ]),
        .tests(
            "RecordStoreTests",
            [
                "TestKit", "RecordStorePostgres", "RecordStoreSQLite", "RecordStore", "DirectorySQLite",
                "PostgreSQLSupport", "SQLiteSupport", "DataRows", "RecordsWire", "Records", .grdb,
            ]),
        .tests(
            "AssetStoreTests",
            ["TestKit", "AssetStoreS3", "AssetStore", "Records", .crypto, .nioCore, .nioFileSystem]),
        .tests(
            "CloudServiceTests",
            [
                "ServerKit", "TestKit", "CloudletTesting", "CloudletServer", "CloudService",
                "RecordStoreSQLite", "RecordStore", "Directory", "AssetStore", "RecordsWire", "Records",
                .crypto, .logging, .nioCore,
            ]),
        .tests(
            "CloudHTTPTests",
            [
                "ServerKit", "TestKit", "CloudletTesting", "CloudletServer", "CloudHTTP", "CloudService",
                "RecordsWire", "Records", .asyncHTTPClient, .httpTypes, .hummingbird, .logging, .nioCore,
                .nioHTTP1, .serviceLifecycle,
            ]),
        .tests(
            "CloudConsoleTests",
            [
                "ServerKit", "ShellKit", "TestKit", "ClownCentral", "CloudletShell", "CommandShell",
                "CloudletTesting", "CloudletServer", "CloudConsole", "CloudHTTP", "CloudService",
                "RecordsWire", "Records", .logging,
            ]),
        .tests(
            "ApplePushTests",
            [
                "ServerKit", "TestKit", "CloudletTesting", "CloudletServer", "Cloudlet", "RecordsWire",
                .crypto, .httpTypes, .hummingbird, .logging, .nioCore, .nioSSL, .serviceLifecycle,
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
            ]),
        .tests(
            "ServerDataTests",
            [
                "ServerKit", "TestKit", "CloudletServer", "ServerData", "CloudService", "RecordStore",
                "Directory", "SQLiteSupport", "AssetStore", "DataRows", "RecordsWire", "Records",
            ]),
        .tests(
            "CloudletServerTests",
            [
                "ServerKit", "TestKit", "CloudletServer", "ServerData", "CloudService", "Directory",
                "RecordsWire", "Records", .asyncHTTPClient, .crypto, .logging, .nioCore, .nioHTTP1,
                .nioHTTPCompression, .nioPosix, .nioSSL,
            ]),
        .tests(
            "CloudletTests",
            [
                "TestKit", "Cloudlet", "CloudKit", "CoreLocation", "CloudletTesting", "CloudletServer",
                "RecordsWire", "Records", .crypto,
            ]),
        .tests("LocalReplicaTests", ["TestKit", "LocalReplica", "Records", .grdb]),
        .tests(
            "CloudSyncTests",
            [
                "TestKit", "CloudSync", "LocalReplica", "Cloudlet", "CloudletTesting", "CloudletServer",
                "Records",
            ]),
        .tests("ObjectModelTests", ["TestKit", "ObjectModel", "RecordsWire", "Records"]),
        .tests(
            "MirroredStoreTests",
            [
                "TestKit", "MirroredStore", "ObjectModel", "CloudSync", "Cloudlet", "CloudletTesting",
                "CloudletServer", "RecordsWire", "Records", .grdb,
            ]),
        .tests("CollaborativeTextTests", ["TestKit", "CollaborativeText"]),
        .target(
            name: "ShellKit",
            dependencies: [
                "TestKit", "CloudletTesting", "ClownCentral", "CloudletShell", "CommandShell",
                "CloudletServer", "Cloudlet", "RecordsWire", .httpTypes, .hummingbird, .logging, .nioCore,
            ],
            path: "Tests/ShellKit", swiftSettings: house
        ),
        .tests(
            "CloudletShellTests",
            [
                "ShellKit", "TestKit", "ClownCentral", "CloudletShell", "CommandShell", "CloudletServer",
                "Cloudlet", "Records", "clown-central", "cloudlet-command",
            ]),
        .tests(
            "ClownCentralTests",
            [
                "ShellKit", "TestKit", "ClownCentral", "CloudletShell", "CommandShell", "CloudletServer",
                "CloudletTesting", "Cloudlet", "RecordsWire", "clown-central", "cloudlet-command",
                "MirroredStore", "CloudSync", "LocalReplica", "Records", .subprocess,
            ]),
        // The app that `clown-central new` copies. It is also a separate package.
        .executableTarget(
            name: "TaskBook",
            dependencies: [
                "Cloudlet", "CloudSync", "LocalReplica", "CommandShell", "Records", .argumentParser,
            ],
            path: "Demo/Template/Sources/TaskBook",
            packageAccess: false
        ),
        .testTarget(
            name: "TaskBookTests",
            dependencies: ["TaskBook", "CloudletTesting"],
            path: "Demo/Template/Tests/TaskBookTests",
            packageAccess: false
        ),
        // A program with a shell that uses only the public API of CommandShell.
        .target(
            name: "TaskShell", dependencies: ["CommandShell"], path: "Tests/TaskShell", packageAccess: false
        ),
        .tests("CommandShellTests", ["TestKit", "TaskShell", "CommandShell"]),
        .tests(
            "CloudletCommandTests",
            [
                "ServerKit", "TestKit", "CloudletTesting", "CloudKit", "CloudletServer", "RecordStoreSQLite",
                "RecordsWire", "cloudlet-command",
            ]),
        // The samples of the documentation, which use only the public API, and their tests.
        .tests(
            "DocumentationTests",
            [
                "TestKit", "CloudKit", "CloudletTesting", "CloudletServer", "CloudSync", "CollaborativeText",
                "LocalReplica", "MirroredStore", "Records",
            ]),
        .tests("HouseRulesTests", []),
    ],
    swiftLanguageModes: [.v6]
)
