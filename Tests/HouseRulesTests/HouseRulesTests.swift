import Testing

/// Rules that no tool checks. `swift format lint` checks layout, force unwraps and missing documentation.
@Suite("House rules")
struct HouseRulesTests {
    @Test("The files of the package are found")
    func filesAreFound() {
        #expect(House.swiftFiles.count > 50)
        #expect(House.texts.contains { $0.path == "Data/Seeds/parties.jsonl" })
    }

    @Test("Imports obey the room table")
    func imports() {
        House.swiftFiles.flatMap { ImportRule.findings(in: $0) }.report()
    }

    @Test("Files, functions and types do not exceed their limits")
    func sizes() {
        SizeRule.findings(in: House.swiftFiles).report()
        for file in House.swiftFiles where file.path.hasPrefix("Sources/") {
            let long = SizeRule.functions(in: file).filter {
                $0.count > SizeRule.longFunction && !$0.isExhaustiveSwitch
            }
            for function in long {
                print("warning: \(file.path):\(function.line): the function has \(function.count) lines")
            }
        }
    }

    @Test("No two modules declare types with the same name, and types of PostgreSQL modules have a prefix")
    func names() {
        NameRule.findings(in: House.swiftFiles).report()
    }

    @Test("Sources contain no banned constructs")
    func bannedConstructs() {
        House.swiftFiles.flatMap { BannedRule.findings(in: $0) }.report()
    }

    @Test("In a closure's body, no closure follows one in an expectation")
    func closures() {
        House.swiftFiles.flatMap { ClosureRule.findings(in: $0) }.report()
    }

    @Test("The root folder contains only the allowed names")
    func topLevel() {
        LayoutRule.findings(topLevel: House.topLevel).report()
    }

    @Test("No file names a folder of one machine or a package registry")
    func machinePaths() {
        House.texts.flatMap { LayoutRule.findings(path: $0.path, text: $0.text) }.report()
    }
}
