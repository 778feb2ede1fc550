// swift-tools-version: 6.0
// The package of somebody who comes from CloudKit: one dependency, and code that names no other module.

import PackageDescription

let package = Package(
    name: "Newcomer",
    dependencies: [.package(name: "cloudlet", path: "../..")],
    targets: [
        .executableTarget(
            name: "Newcomer",
            dependencies: [.product(name: "CloudKit", package: "cloudlet")],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])]
        )
    ],
    swiftLanguageModes: [Context.environment["NEWCOMER_MODE"] == "5" ? .v5 : .v6]
)
