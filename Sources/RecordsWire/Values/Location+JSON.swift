import Records

extension Location {
    /// Decodes a location dictionary. Throws `badRequest` for degrees out of range.
    init(_ node: JSONNode) throws(RecordError) {
        let dictionary = try node.object()
        let latitude = try dictionary.required("latitude")
        let longitude = try dictionary.required("longitude")
        self.init(latitude: try latitude.double(), longitude: try longitude.double())
        guard self.latitude.magnitude <= 90 else { throw latitude.invalid(expected: "LOCATION") }
        guard self.longitude.magnitude <= 180 else { throw longitude.invalid(expected: "LOCATION") }
        horizontalAccuracy = try dictionary["horizontalAccuracy"]?.double()
        verticalAccuracy = try dictionary["verticalAccuracy"]?.double()
        altitude = try dictionary["altitude"]?.double()
        speed = try dictionary["speed"]?.double()
        course = try dictionary["course"]?.double()
        guard let time = dictionary["timestamp"] else { return }
        guard let milliseconds = time.int64Value else { throw time.invalid(expected: "TIMESTAMP") }
        timestamp = Timestamp(milliseconds: milliseconds)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("latitude", latitude)
        json.member("longitude", longitude)
        json.member("horizontalAccuracy", horizontalAccuracy)
        json.member("verticalAccuracy", verticalAccuracy)
        json.member("altitude", altitude)
        json.member("speed", speed)
        json.member("course", course)
        json.member("timestamp", timestamp?.milliseconds)
        json.endObject()
    }
}
