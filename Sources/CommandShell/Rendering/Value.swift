public import Foundation

/// The value of a field.
public indirect enum Value: Equatable, Sendable {
    /// A latitude and a longitude in degrees.
    public struct Location: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double

        /// Creates a location.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The width and height of a picture in pixels.
    public struct Size: Hashable, Sendable {
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int

        /// Creates a size.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    case missing
    case text(String)
    case flag(Bool)
    case count(Int)
    /// A size in bytes.
    case bytes(Int)
    /// A distance in metres.
    case distance(Double)
    case moment(Date)
    case location(Location)
    /// The size of a picture in pixels.
    case pixels(Size)
    /// The size of a picture in pixels, if known, and of its file in bytes.
    case picture(Size?, byteCount: Int)
    case fields([AnswerField])
    case texts([String])
    /// A fraction from 0 to 1, shown as a percentage.
    case share(Double)
    /// A fraction from 0 to 1, shown as a bar and a percentage.
    case bar(Double)

    /// Creates a text, or `.missing` for nil.
    public init(_ text: String?) {
        self = text.map(Value.text) ?? .missing
    }

    /// Creates a time, or `.missing` for nil.
    public init(_ moment: Date?) {
        self = moment.map(Value.moment) ?? .missing
    }

    /// The value of an inner field; nil if there is none.
    public subscript(path: ArraySlice<String>) -> Value? {
        guard let name = path.first else { return self }
        switch self {
        case .fields(let fields):
            return fields.first { $0.name == name }?.value[path.dropFirst()]
        case .location(let location):
            let parts = ["latitude": location.latitude, "longitude": location.longitude]
            return path.count == 1 ? parts[name].map { .text(JSONValue.number($0)) } : nil
        case .pixels, .picture:
            return Value.fields(pictureFields)[path]
        default:
            return nil
        }
    }

    /// The inner fields of a picture, with their JSON names.
    var pictureFields: [AnswerField] {
        switch self {
        case .pixels(let size):
            [AnswerField("width", .count(size.width)), AnswerField("height", .count(size.height))]
        case .picture(let size, let byteCount):
            (size.map { Value.pixels($0).pictureFields } ?? []) + [
                AnswerField("byteCount", .bytes(byteCount))
            ]
        default:
            []
        }
    }
}
