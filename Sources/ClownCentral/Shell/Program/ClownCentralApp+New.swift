import CommandShell
import Foundation

extension ClownCentralApp {
    /// Creates a folder with a new app package and returns the exit code.
    ///
    /// - Parameters:
    ///   - name: The app's name, and the name of the folder that is created in the current one.
    ///   - entities: The app's entities, each in the form `Task:title,done:bool,due:date`.
    ///   - isMirrored: Whether the app keeps objects with relationships in a store that mirrors itself.
    ///   - cloudlet: The path or URL of Cloudlet's package; nil: the package that built this program.
    public func makeApp(
        _ name: String, entities: [String], isMirrored: Bool = false, cloudlet: String?
    ) -> Int32 {
        do {
            try ReservedNames.checkApp(name)
            let specs = try entities.map(EntitySpec.init)
            guard !specs.isEmpty else {
                throw ShellError.usage(
                    "an app needs at least one entity", remedy: "--entity Task:title")
            }
            for spec in specs { try spec.checkReferences(among: specs) }
            let names = specs.map(\.word) + [name.lowercased(), "\(name)tests".lowercased()]
            guard Set(names).count == names.count else {
                throw ShellError.usage(
                    "the app and its entities must have different names, regardless of case")
            }
            let folder = machine.currentFolder.appendingPathComponent(name)
            guard !FileManager.default.fileExists(atPath: folder.path) else {
                throw ShellError(
                    code: "exists", message: "the folder \(name) already exists",
                    remedy: "choose another name")
            }
            guard let package = cloudlet ?? packageFolder else {
                throw ShellError.usage(
                    "Cloudlet's package cannot be found", remedy: "name it: --cloudlet FOLDER")
            }
            try AppTemplate(
                kind: isMirrored ? .mirrored : .records, name: name, entities: specs, cloudlet: package
            ).write(to: folder)
            OutputChannels.process.message(
                "created \(name); now: cd \(name) && swift test (the first build takes minutes: it builds "
                    + "Cloudlet, too)\n")
            return ExitStatus.done.rawValue
        } catch {
            return Shell.printError(ShellError(error))
        }
    }

    /// The root folder of the package that contains this program's executable. `PackageFiles` skips packages
    /// of strangers, because the new app runs the code of the package.
    private var packageFolder: String? {
        let manifest = PackageFiles.file(at: "Package.swift", above: machine.executable) { file in
            let text = try? String(contentsOf: file, encoding: .utf8)
            return text?.contains("name: \"cloudlet\"") ?? false
        }
        return manifest?.deletingLastPathComponent().path
    }
}
