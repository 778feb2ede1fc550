import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Temporary folders")
struct TemporaryFolderTests {
    private func inPlace(_ body: (URL) throws -> Void) throws {
        let place = try URL.newFolder()
        defer { place.remove() }
        try body(place)
    }

    private func put(_ name: String, in folder: URL) throws {
        try Data("bytes".utf8).write(to: folder.appendingPathComponent(name))
    }

    /// A folder as a killed process leaves it: with all its files, and not locked.
    private func abandoned(_ number: Int, in place: URL) throws -> URL {
        let folder = place.appendingPathComponent("cloudlet-assets-\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["cloudlet.lock", "cloudlet.temporary", "photo"] { try put(name, in: folder) }
        return folder
    }

    private func names(in place: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    }

    @Test("The next start deletes the folder of a killed process, not that of a running one")
    func swept() throws {
        try inPlace { place in
            let living = TemporaryFolder.claim(in: place, process: 1)
            try put("photo", in: living)
            // Meanwhile another process may have the number of the one that ended.
            _ = try abandoned(Int(getpid()), in: place)
            _ = try abandoned(2, in: place)
            let new = TemporaryFolder.claim(in: place, process: 2)
            #expect(new.lastPathComponent == "cloudlet-assets-2")
            #expect(try names(in: place) == ["cloudlet-assets-1", "cloudlet-assets-2"])
            #expect(try names(in: living).contains("photo"))
            #expect(try !names(in: new).contains("photo"))
        }
    }

    @Test("Processes with the same number in different containers do not share a folder")
    func namesakes() throws {
        try inPlace { place in
            let one = TemporaryFolder.claim(in: place, process: 7)
            let other = TemporaryFolder.claim(in: place, process: 7)
            #expect(one != other)
            let found = try names(in: place)
            #expect(found == ["cloudlet-assets-7", "cloudlet-assets-7-1"])
        }
    }

    @Test("Folders that are being created, and unrelated folders, are not deleted")
    func others() throws {
        try inPlace { place in
            for (name, files) in [
                ("cloudlet-assets-3", ["cloudlet.lock"]), ("cloudlet-assets-4", ["photo"]),
                ("other", ["cloudlet.lock", "cloudlet.temporary"]),
            ] {
                let folder = place.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for file in files { try put(file, in: folder) }
            }
            _ = TemporaryFolder.claim(in: place, process: 5)
            #expect(
                try names(in: place) == [
                    "cloudlet-assets-3", "cloudlet-assets-4", "cloudlet-assets-5", "other",
                ])
        }
    }

    @Test("Folders with the expected names that exist already are not used; the new one is for its user only")
    func madeBeforehand() throws {
        try inPlace { place in
            let guesses =
                ["cloudlet-assets-7", "cloudlet-files-7"] + (1..<100).map { "cloudlet-assets-7-\($0)" }
            for name in guesses {
                try FileManager.default.createDirectory(
                    at: place.appendingPathComponent(name), withIntermediateDirectories: false)
            }
            let (one, other) = (
                TemporaryFolder.claim(in: place, process: 7), TemporaryFolder.claim(in: place, process: 7)
            )
            let made = [one, other].map(\.lastPathComponent)
            #expect(Set(guesses + made).count == guesses.count + 2)
            #expect(try names(in: place) == (guesses + made).sorted())
            let attributes = try FileManager.default.attributesOfItem(atPath: one.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }

    @Test("If no folder can be created, nobody can predict the path")
    func nowhere() {
        let place = URL(fileURLWithPath: "/nowhere/at/all")
        let (one, other) = (
            TemporaryFolder.claim(in: place, process: 1), TemporaryFolder.claim(in: place, process: 1)
        )
        #expect(one != other)
        #expect(one.deletingLastPathComponent().path == place.path)
        #expect(!FileManager.default.fileExists(atPath: one.path))
    }
}
