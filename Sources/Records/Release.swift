/// What a server calls itself.
package enum Release {
    package static let name = "Cloudlet"
    package static let version = "0.1.0"
}
