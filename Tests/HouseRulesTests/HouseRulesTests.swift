// Owns the check of the whole house: every rule on every file.

import Testing

@Suite("The house keeps its rules")
struct HouseRulesTests {
    @Test("There is a house to look at")
    func houseIsFound() {
        #expect(House.swiftFiles.count > 50)
        #expect(House.texts.contains { $0.path == "Data/Seeds/parties.jsonl" })
    }

    @Test("Imports obey the room table")
    func imports() {
        House.swiftFiles.flatMap { ImportRule.findings(in: $0) }.report()
    }

    @Test("Lines, functions and files are small enough to read")
    func sizes() {
        SizeRule.findings(in: House.swiftFiles, exceptions: sizeExceptions).report()
    }

    @Test("Sources are free of banned constructs")
    func bannedConstructs() {
        House.swiftFiles.flatMap { BannedRule.findings(in: $0) }.report()
    }

    @Test("Files begin with a sentence and public declarations have a summary")
    func prose() {
        House.swiftFiles.flatMap { ProseRule.findings(in: $0) }.report()
        House.texts.flatMap { ProseRule.findings(inScript: $0) }.report()
    }

    @Test("The root folder holds what belongs there")
    func topLevel() {
        LayoutRule.findings(topLevel: House.topLevel).report()
    }

    @Test("No file names a machine's folders")
    func machinePaths() {
        House.texts.flatMap { LayoutRule.findings(in: $0) }.report()
    }
}
