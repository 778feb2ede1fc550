// Owns the body of zones/list, which says nothing.

package import Records

/// Asks for all zones of a database (sheet 1.11).
package struct ZonesListRequest: WireRequest {
    package init() {}

    package init(_ body: JSONNode) throws(RecordError) {}

    package func write(to json: inout JSONWriter) {}
}
