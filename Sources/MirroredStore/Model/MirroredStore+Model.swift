public import Cloudlet
import Foundation
import ObjectModel

extension MirroredStore {
    /// Opens the store of a data model of Xcode. Its objects are addressed by the names in the model.
    ///
    /// ```swift
    /// let store = try MirroredStore(
    ///     folder: appData, model: bundle.appendingPathComponent("Circus.xcdatamodeld"),
    ///     configuration: "Cloud", container: container, settings: settings)
    /// try await store.write { objects in
    ///     var show = try objects.make("Show")
    ///     try show.set("seats", to: 120)
    ///     try objects.save(show)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - model: the source of the model, `X.xcdatamodeld` or `X.xcdatamodel`.
    ///   - configuration: the configuration whose entities the store has; nil: all entities.
    ///   - container: the container with whose private database the store is mirrored; nil: the objects stay
    ///     on this device.
    /// - Throws: `MirroredStoreError`; with the code `incompatibleModel` if the model cannot be read or if it
    ///   breaks a rule.
    public convenience init(
        folder: URL, model: URL, configuration: String? = nil, container: CKContainer?, settings: Settings
    ) throws {
        try self.init(
            folder: folder, layout: try ModelFile(at: model).layout(configuration: configuration),
            container: container, settings: settings)
    }
}
