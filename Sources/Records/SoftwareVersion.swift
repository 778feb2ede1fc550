/// The name and version that the server reports.
package enum SoftwareVersion {
    package static let name = "Cloudlet"
    package static let version = "0.1.0"
}
