import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("A picture's header")
struct ImageHeaderTests {
    /// The beginning of a JPEG of 300 by 200 pixels, up to its frame header, with or without an orientation.
    private func jpeg(orientation: UInt8?) -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8]
        if let orientation {
            let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            let exif = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
            bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        }
        bytes += [0xFF, 0xC0, 0, 11, 8, 0, 200, 1, 44, 1, 1, 0x11, 0]
        return Data(bytes)
    }

    private let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 1, 44, 0, 0, 0, 200]
    )

    @Test("has the format and the size")
    func size() {
        #expect(ImageHeader(png)?.size == PixelSize(width: 300, height: 200))
        #expect(ImageHeader(png)?.kind == .png)
        #expect(ImageHeader(jpeg(orientation: nil))?.size == PixelSize(width: 300, height: 200))
    }

    @Test("has the size of the upright picture for each EXIF orientation", arguments: 1...8)
    func orientation(value: Int) {
        let size = ImageHeader(jpeg(orientation: UInt8(value)))?.size
        #expect(size == (value > 4 ? PixelSize(width: 200, height: 300) : PixelSize(width: 300, height: 200)))
    }

    @Test("distinguishes complete from truncated pictures", arguments: ["01-bozo.jpg", "02-balloons.png"])
    func complete(name: String) throws {
        let file = URL.package.appendingPathComponent("Data/Seeds/photos/\(name)")
        let data = try Data(contentsOf: file)
        let header = try #require(ImageHeader(data))
        #expect(header.isComplete(data))
        #expect(header.isComplete(data + Data("what a camera adds".utf8)))
        for length in stride(from: 1000, to: data.count - 2, by: max(1, data.count / 97)) {
            #expect(!header.isComplete(data.prefix(length)), "\(length)")
        }
        #expect(!header.isComplete(data.dropLast(2)))
    }

    @Test("is nil for truncated headers and for text")
    func truncated() {
        for picture in [png, jpeg(orientation: 6)] {
            for length in 0..<picture.count - 4 { #expect(ImageHeader(picture.prefix(length)) == nil) }
        }
        #expect(ImageHeader(Data("this is a text".utf8)) == nil)
    }
}
