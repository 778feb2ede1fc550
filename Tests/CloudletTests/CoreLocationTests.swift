import Foundation
import Records
import Testing

@testable import CoreLocation

/// Tests the behaviour on which code written for Apple's Core Location relies.
@Suite("CoreLocation", .timeLimit(.minutes(30)))
struct CoreLocationTests {
    @Test("A location has a source, a floor and an ellipsoidal altitude, and archives keep the source")
    func positions() throws {
        let source = CLLocationSourceInformation(
            softwareSimulationState: true, andExternalAccessoryState: false)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 3, horizontalAccuracy: 4,
            verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
            timestamp: Date(timeIntervalSince1970: 10), sourceInfo: source)
        #expect(place.sourceInformation?.isSimulatedBySoftware == true)
        #expect(place.sourceInformation?.isProducedByAccessory == false)
        #expect(place.courseAccuracy == 7)
        #expect(place.ellipsoidalAltitude == 0)
        #expect(place.floor == nil)
        #expect(CLLocation(latitude: 1, longitude: 2).sourceInformation == nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
        #expect(back?.sourceInformation?.isSimulatedBySoftware == true)
        #expect(CLFloor().level == 0)
    }

    @Test("A floor and a source are archived with their values, and copied")
    func floorsAndSources() throws {
        let floor = CLFloor(level: -2)
        let floorData = try NSKeyedArchiver.archivedData(withRootObject: floor, requiringSecureCoding: true)
        let sameFloor = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLFloor.self, from: floorData)
        #expect(sameFloor?.level == -2)
        #expect((floor.copy() as? CLFloor)?.level == -2)
        let source = CLLocationSourceInformation(
            softwareSimulationState: false, andExternalAccessoryState: true)
        let data = try NSKeyedArchiver.archivedData(withRootObject: source, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CLLocationSourceInformation.self, from: data)
        let copy = source.copy() as? CLLocationSourceInformation
        for other in [back, copy] {
            #expect(other?.isProducedByAccessory == true)
            #expect(other?.isSimulatedBySoftware == false)
        }
    }

    @Test("Distances are exactly those that the server computes")
    func distances() {
        var places: [(Double, Double)] = [(0, 0), (90, 0), (-90, 180), (52.5, 13.4), (-33.9, 151.2)]
        for step in 0..<50 { places.append((Double(step) * 3.5 - 87, Double(step) * 7.1 - 179)) }
        for (latitude, longitude) in places {
            let here = CLLocation(latitude: latitude, longitude: longitude)
            for (otherLatitude, otherLongitude) in places {
                let there = CLLocation(latitude: otherLatitude, longitude: otherLongitude)
                let served = Location(latitude: latitude, longitude: longitude)
                    .distance(to: Location(latitude: otherLatitude, longitude: otherLongitude))
                #expect(here.distance(from: there) == served)
            }
        }
    }

    /// The source of a package that imports CoreLocation if it exists and does not depend on Cloudlet, like
    /// swift-custom-dump.
    private static let stranger = """
        #if canImport(CoreLocation)
          public import CoreLocation
        #else
          #error("there is no CoreLocation")
        #endif
        public protocol Dumped { var text: String { get } }
        extension CLLocation: Dumped {
          public var text: String {
            let all: [Any?] = [
              coordinate, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed,
              speedAccuracy, timestamp, sourceInformation, ellipsoidalAltitude, floor,
            ]
            return "\\(all)"
          }
        }
        extension CLLocationSourceInformation: Dumped {
          public var text: String { "\\(isProducedByAccessory) \\(isSimulatedBySoftware)" }
        }
        extension CLFloor: Dumped { public var text: String { "\\(level)" } }
        final class FakeFloor: CLFloor, @unchecked Sendable { override var level: Int { 7 } }
        func name(_ value: CLAccuracyAuthorization) -> String {
          switch value { case .fullAccuracy: "full" case .reducedAccuracy: "reduced" }
        }
        func name(_ value: CLActivityType) -> String {
          switch value {
          case .airborne: "a" case .automotiveNavigation: "b" case .other: "c" case .fitness: "d"
          case .otherNavigation: "e \\(value.rawValue)"
          }
        }
        func name(_ value: CLAuthorizationStatus) -> String {
          switch value {
          case .authorizedAlways: "a" case .authorizedWhenInUse: "b" case .denied: "c"
          case .notDetermined: "d" case .restricted: "e"
          }
        }
        func name(_ value: CLDeviceOrientation) -> String {
          switch value {
          case .faceUp: "a" case .faceDown: "b" case .landscapeLeft: "c" case .landscapeRight: "d"
          case .portrait: "e" case .portraitUpsideDown: "f" case .unknown: "g"
          }
        }
        func name(_ value: CLProximity) -> String {
          switch value { case .far: "a" case .immediate: "b" case .near: "c" case .unknown: "d" }
        }
        func name(_ value: CLRegionState) -> String {
          switch value { case .inside: "a" case .outside: "b" case .unknown: "c" }
        }
        """

    @Test("The CoreLocation module compiles without any other module of this package")
    func standsAlone() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "core-location-\(UUID().uuidString)")
        let modules = folder.appending(path: "modules")
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "Modules/CoreLocation.swiftmodule")
        try FileManager.default.copyItem(
            at: built, to: modules.appending(path: "CoreLocation.swiftmodule"))
        let file = folder.appending(path: "Stranger.swift")
        try Data(Self.stranger.utf8).write(to: file)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-I", modules.path, file.path]
        let output = Pipe()
        (compiler.standardOutput, compiler.standardError) = (output, output)
        try compiler.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
    }
}
