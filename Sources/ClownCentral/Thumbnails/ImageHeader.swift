import Foundation

/// The format and size in the header of a JPEG or PNG file.
struct ImageHeader: Equatable, Sendable {
    enum Kind: String, Sendable {
        case jpeg
        case png
    }

    let kind: Kind
    /// The size of the upright picture, after the EXIF orientation is applied.
    let size: PixelSize

    /// Reads the header; nil if the bytes are not a JPEG or PNG picture.
    init?(_ data: Data) {
        let bytes = ImageBytes(data)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            guard let size = Self.pngSize(bytes) else { return nil }
            kind = .png
            self.size = size
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            guard let size = Self.jpegSize(bytes) else { return nil }
            kind = .jpeg
            self.size = size
        } else {
            return nil
        }
    }

    /// Whether the file contains the picture's end. A truncated file still has a header.
    func isComplete(_ data: Data) -> Bool {
        switch kind {
        case .png: Self.pngEnds(ImageBytes(data))
        case .jpeg: Self.jpegEnds(data)
        }
    }

    /// Walks the chunks of a PNG to `IEND`.
    private static func pngEnds(_ bytes: ImageBytes) -> Bool {
        var position = 8
        while let length = bytes.big32(position) {
            let end = position + 12 + length
            if bytes[end - 1] == nil { return false }
            if bytes.has(Array("IEND".utf8), at: position + 4) { return true }
            position = end
        }
        return false
    }

    /// Walks the segments of a JPEG to the picture data and searches for the end marker after its start. The
    /// search cannot begin earlier, because an EXIF segment may contain a thumbnail with an end marker of its
    /// own.
    private static func jpegEnds(_ data: Data) -> Bool {
        let bytes = ImageBytes(data)
        var position = 2
        while bytes[position] == 0xFF, let marker = bytes[position + 1] {
            if marker == 0xFF {
                position += 1
                continue
            }
            guard let length = bytes.big16(position + 2), length >= 2 else { return false }
            position += 2 + length
            if marker == 0xDA {
                guard position < data.count else { return false }
                let picture = data.index(data.startIndex, offsetBy: position)..<data.endIndex
                return data.range(of: Data([0xFF, 0xD9]), options: .backwards, in: picture) != nil
            }
        }
        return false
    }

    private static func pngSize(_ bytes: ImageBytes) -> PixelSize? {
        guard let width = bytes.big32(16), let height = bytes.big32(20), width > 0, height > 0 else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    /// Walks the segments of a JPEG to the frame header and reads the orientation from an EXIF segment before
    /// it.
    private static func jpegSize(_ bytes: ImageBytes) -> PixelSize? {
        var position = 2
        var isTurned = false
        while let mark = bytes[position], mark == 0xFF, let marker = bytes[position + 1] {
            if marker == 0xFF {
                position += 1
                continue
            }
            guard let length = bytes.big16(position + 2), length >= 2 else { return nil }
            if isFrame(marker) {
                guard let height = bytes.big16(position + 5), let width = bytes.big16(position + 7), width > 0
                else { return nil }
                let size = PixelSize(width: width, height: height)
                return isTurned ? size.turned : size
            }
            if marker == 0xE1, let orientation = orientation(bytes, segment: position + 4) {
                isTurned = (5...8).contains(orientation)
            }
            position += 2 + length
        }
        return nil
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// The orientation in the first directory of an EXIF segment; nil if there is none.
    private static func orientation(_ bytes: ImageBytes, segment: Int) -> Int? {
        guard bytes.has([0x45, 0x78, 0x69, 0x66, 0, 0], at: segment) else { return nil }
        let start = segment + 6
        let isLittle = bytes[start] == 0x49
        guard let offset = bytes.number32(start + 4, isLittle: isLittle) else { return nil }
        let directory = start + offset
        guard let count = bytes.number16(directory, isLittle: isLittle) else { return nil }
        for entry in 0..<min(count, 512) {
            let place = directory + 2 + entry * 12
            if bytes.number16(place, isLittle: isLittle) == 0x0112 {
                return bytes.number16(place + 8, isLittle: isLittle)
            }
        }
        return nil
    }
}
