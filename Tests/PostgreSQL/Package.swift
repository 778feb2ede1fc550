// swift-tools-version: 6.2
// Runs the contract suite against PostgreSQL. The manifest in the root folder would compile all modules,
// because the flags of a package trait are those of every module. This one has only what the suite needs.

import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

extension Target {
    static func room(_ name: String, _ dependencies: [Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: house)
    }
}

let package = Package(
    name: "cloudlet",
    platforms: [.macOS(.v15)],
    targets: [
        .room("Records"),
        .room("RecordsWire", ["Records"]),
        .room("DataRows"),
        .room("RecordStore", ["DataRows", "Records"]),
        .room("Directory", ["Records"]),
        .systemLibrary(name: "CPostgres", path: "Sources/CPostgres"),
        .room("PostgreSQLSupport", ["DataRows", "Records", "CPostgres"]),
        .room("RecordStorePostgres", ["RecordStore", "PostgreSQLSupport", "DataRows", "Records"]),
        .room("DirectoryPostgres", ["Directory", "PostgreSQLSupport", "DataRows", "Records"]),
        .target(
            name: "TestKit", dependencies: ["DataRows", "Records"], path: "TestKit",
            exclude: ["HTTP", "Programs", "ReleasedSchema.swift", "SQL.swift"],
            swiftSettings: house
        ),
        // The rows of the benchmarks about PostgreSQL.
        .executableTarget(
            name: "engine-benchmarks",
            dependencies: ["RecordStorePostgres", "RecordStore", "RecordsWire", "Records", "CPostgres"],
            path: "EngineBenchmarks", swiftSettings: house + [.define("PostgreSQL")]
        ),
        // The suites name their module, so it has the same name here.
        .testTarget(
            name: "RecordStoreTests",
            dependencies: [
                "RecordStorePostgres", "PostgreSQLSupport", "RecordStore", "DataRows", "RecordsWire",
                "Records", "TestKit",
            ],
            path: "RecordStorePostgresTests", swiftSettings: house
        ),
        .testTarget(
            name: "DirectoryTests",
            dependencies: [
                "DirectoryPostgres", "Directory", "PostgreSQLSupport", "DataRows", "Records", "TestKit",
            ],
            path: "DirectoryPostgresTests", swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6]
)
