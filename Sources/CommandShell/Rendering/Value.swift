public import Foundation

/// One value of a field.
public indirect enum Value: Equatable, Sendable {
    /// A latitude and a longitude in degrees.
    public struct Place: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double

        /// A place.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The width and height of a picture in pixels.
    public struct Size: Hashable, Sendable {
        /// Pixels from left to right.
        public var width: Int
        /// Pixels from top to bottom.
        public var height: Int

        /// A size.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    case missing
    case text(String)
    case flag(Bool)
    case count(Int)
    /// A length of data.
    case bytes(Int)
    /// A distance in metres.
    case distance(Double)
    case moment(Date)
    case place(Place)
    /// The size of a picture.
    case pixels(Size)
    /// The size of a picture, if it is known, and the length of its file.
    case picture(Size?, byteCount: Int)
    case fields([Field])
    case texts([String])
    /// A part of the whole, from 0 to 1, in hundredths.
    case share(Double)
    /// The same as a bar, with its hundredths behind it.
    case bar(Double)

    /// A text, or that there is none.
    public init(_ text: String?) {
        self = text.map(Value.text) ?? .missing
    }

    /// A moment, or that there is none.
    public init(_ moment: Date?) {
        self = moment.map(Value.moment) ?? .missing
    }

    /// The value of an inner field.
    public subscript(path: ArraySlice<String>) -> Value? {
        guard let name = path.first else { return self }
        switch self {
        case .fields(let fields):
            return fields.first { $0.name == name }?.value[path.dropFirst()]
        case .place(let place):
            let parts = ["latitude": place.latitude, "longitude": place.longitude]
            return path.count == 1 ? parts[name].map { .text(JSONText.number($0)) } : nil
        case .pixels, .picture:
            return Value.fields(pictureFields)[path]
        default:
            return nil
        }
    }

    /// A picture's parts under the names of JSON.
    var pictureFields: [Field] {
        switch self {
        case .pixels(let size):
            [Field("width", .count(size.width)), Field("height", .count(size.height))]
        case .picture(let size, let byteCount):
            (size.map { Value.pixels($0).pictureFields } ?? []) + [Field("byteCount", .bytes(byteCount))]
        default:
            []
        }
    }
}
