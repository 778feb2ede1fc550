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
            let living = try #require(TemporaryFolder.claim(in: place, process: 1))
            try put("photo", in: living)
            // Meanwhile another process may have the number of the one that ended.
            _ = try abandoned(Int(getpid()), in: place)
            _ = try abandoned(2, in: place)
            let new = try #require(TemporaryFolder.claim(in: place, process: 2))
            #expect(new.lastPathComponent == "cloudlet-assets-2")
            #expect(try names(in: place) == ["cloudlet-assets-1", "cloudlet-assets-2"])
            #expect(try names(in: living).contains("photo"))
            #expect(try !names(in: new).contains("photo"))
        }
    }

    @Test("Processes with the same number in different containers do not share a folder")
    func namesakes() throws {
        try inPlace { place in
            let one = try #require(TemporaryFolder.claim(in: place, process: 7))
            let other = try #require(TemporaryFolder.claim(in: place, process: 7))
            #expect(one != other)
            #expect(try names(in: place) == ["cloudlet-assets-7", "cloudlet-assets-7-1"])
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

    @Test("The result is nil if no folder can be created")
    func nowhere() {
        #expect(TemporaryFolder.claim(in: URL(fileURLWithPath: "/nowhere/at/all"), process: 1) == nil)
    }
}
