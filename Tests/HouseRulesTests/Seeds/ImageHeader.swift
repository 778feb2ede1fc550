/// The metadata in front of the pixels of a JPEG or PNG file.
struct ImageHeader: Equatable {
    enum Format: Hashable {
        case jpeg, png
    }

    let format: Format
    let width: Int
    let height: Int
    /// The EXIF orientation; 1 if the file has none.
    let orientation: Int

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count > 24 {
            format = .png
            width = Self.number(bytes[16..<20])
            height = Self.number(bytes[20..<24])
            orientation = 1
        } else if bytes.starts(with: [0xFF, 0xD8]), let frame = Self.segment(of: bytes, where: Self.isFrame) {
            let exif = Self.segment(of: bytes) { $0 == 0xE1 }
            format = .jpeg
            height = Self.number(frame.dropFirst(5).prefix(2))
            width = Self.number(frame.dropFirst(7).prefix(2))
            orientation = exif.flatMap(Self.orientation) ?? 1
        } else {
            return nil
        }
    }

    /// The first segment of a JPEG file whose marker satisfies `passes`, beginning with the marker.
    private static func segment(of bytes: [UInt8], where passes: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
        var place = 2
        while place + 4 < bytes.count, bytes[place] == 0xFF {
            let end = place + 2 + number(bytes[place + 2..<place + 4])
            guard end <= bytes.count else { return nil }
            if passes(bytes[place + 1]) {
                return bytes[place..<end]
            }
            place = end
        }
        return nil
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// Searches the directory of an EXIF segment for the entry 0x0112.
    private static func orientation(_ segment: ArraySlice<UInt8>) -> Int? {
        let tiff = Array(segment.dropFirst(10))
        let isLittle = tiff.first == UInt8(ascii: "I")
        func number(at place: Int, _ count: Int) -> Int {
            let bytes = tiff[place..<place + count]
            return isLittle ? Self.number(bytes.reversed()) : Self.number(bytes)
        }
        let directory = number(at: 4, 4)
        let entries = (0..<number(at: directory, 2)).map { directory + 2 + 12 * $0 }
        return entries.first { number(at: $0, 2) == 0x0112 }.map { number(at: $0 + 8, 2) }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
