import Foundation
import Records
import Testing

@testable import TestKit

/// Compares the Swift samples on the pages with the files that are compiled.
@Suite("Pages of the documentation")
struct PageTests {
    /// The folders of the samples. Each file is one sample, which a page prints completely.
    private static let folders = ["DocumentationTests", "CloudletCommandTests"].map {
        URL.package.appending(path: "Tests/\($0)/Samples")
    }

    /// The README of the package and of the template, and the pages of every documentation catalogue.
    private static func pages() throws -> [URL] {
        let sources = URL.package.appending(path: "Sources")
        let modules = try FileManager.default.contentsOfDirectory(
            at: sources, includingPropertiesForKeys: nil)
        let catalogues = modules.map { $0.appending(path: "Documentation.docc") }.filter(\.exists)
        let readmes = ["README.md", "Demo/Template/README.md"].map { URL.package.appending(path: $0) }
        return try readmes + catalogues.flatMap { try $0.files("md") }
    }

    /// The blocks of code on a page with the language that the page names.
    private static func blocks(in page: String) -> [(language: String, code: String)] {
        var blocks: [(language: String, code: String)] = []
        var isOpen = false
        for line in page.components(separatedBy: "\n") {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") {
                isOpen.toggle()
                if isOpen { blocks.append((text.dropFirst(3).lowercased(), "")) }
            } else if isOpen {
                blocks[blocks.count - 1].code += line + "\n"
            }
        }
        return blocks
    }

    /// The samples by the names of their files, as a page prints them.
    private static func files() throws -> [String: String] {
        var samples: [String: String] = [:]
        for file in try folders.flatMap({ try $0.files("swift") }) {
            samples[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        // This test passes only below `cloudlet exec`, where ExecReadmeTests calls it.
        let name = "PartyIsSaved.swift"
        samples[name] = samples[name]?.replacing("\nfunc ", with: "\n@Test func ")
        return samples
    }

    @Test("The page on web services has the limits of uploads with which a server starts")
    func uploadLimits() throws {
        let file = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/WebServices.md")
        let (page, limits) = (try String(contentsOf: file, encoding: .utf8), Limits())
        let values: [(String, Int64)] = [
            ("tokensPerRequest", Int64(limits.tokensPerRequest)), ("assetBytes", limits.assetBytes),
            ("uploadSeconds", Int64(limits.uploadSeconds)),
            ("uploadsPerPerson", Int64(limits.uploadsPerPerson)),
            ("waitingUploads", Int64(limits.waitingUploads)),
            ("waitingUploadBytes", limits.waitingUploadBytes),
            ("transferBytesPerSecond", Int64(limits.transferBytesPerSecond)),
            ("downloadSeconds", Int64(limits.downloadSeconds)),
        ]
        for (name, value) in values { #expect(page.contains("| `\(name)` | \(value) |"), "\(name)") }
        #expect(page.contains("`transferPatienceSeconds` (\(limits.transferPatienceSeconds))"))
    }

    @Test("Every Swift sample on a page equals a compiled file, and every such file is on a page")
    func samples() throws {
        var unprinted = try Self.files()
        let compiled = Set(unprinted.values)
        for page in try Self.pages() {
            let blocks = Self.blocks(in: try String(contentsOf: page, encoding: .utf8))
            for block in blocks where block.language.hasPrefix("swift") {
                #expect(
                    compiled.contains(block.code),
                    "\(page.lastPathComponent): no compiled file equals:\n\(block.code)")
                unprinted = unprinted.filter { $0.value != block.code }
            }
            for block in blocks where block.language.isEmpty {
                let isSwift = block.code.contains(/(?m)^\s*(?:import|let|var|func|try)\s/)
                #expect(!isSwift, "\(page.lastPathComponent): mark this block as swift:\n\(block.code)")
            }
        }
        #expect(unprinted.keys.sorted() == [])
    }
}
