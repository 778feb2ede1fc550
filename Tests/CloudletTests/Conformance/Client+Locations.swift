import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useLocationsConstants() {
        let _: Double.Type = CLLocationDegrees.self
        let _: Double.Type = CLLocationDistance.self
        let _: Double.Type = CLLocationAccuracy.self
        let _: Double.Type = CLLocationSpeed.self
        let _: Double.Type = CLLocationSpeedAccuracy.self
        let _: Double.Type = CLLocationDirection.self
        let _: Double.Type = CLLocationDirectionAccuracy.self
    }

    @available(*, deprecated)
    static func useCLLocationCoordinate2D() {
        let _: CLLocationCoordinate2D.Type = CLLocationCoordinate2D.self
        let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \CLLocationCoordinate2D.latitude
        let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \CLLocationCoordinate2D.longitude
        let _: () -> CLLocationCoordinate2D = CLLocationCoordinate2D.init
        let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocationCoordinate2D = CLLocationCoordinate2D.init(
            latitude:longitude:)
    }

    @available(*, deprecated)
    static func useLocationsConstants2() {
        let _: (CLLocationCoordinate2D) -> Bool = CLLocationCoordinate2DIsValid(_:)
        let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocationCoordinate2D = CLLocationCoordinate2DMake(
            _:_:)
        let _: CLLocationCoordinate2D = kCLLocationCoordinate2DInvalid
    }

    @available(*, deprecated)
    static func useCLLocation() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CLLocation.self
        let _: (NSCoder) -> CLLocation? = CLLocation.init(coder:)
        let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocation = CLLocation.init(latitude:longitude:)
        let _:
            (CLLocationCoordinate2D, CLLocationDistance, CLLocationAccuracy, CLLocationAccuracy, Date) ->
                CLLocation = CLLocation.init(
                    coordinate:altitude:horizontalAccuracy:verticalAccuracy:timestamp:)
        let _:
            (
                CLLocationCoordinate2D, CLLocationDistance, CLLocationAccuracy, CLLocationAccuracy,
                CLLocationDirection, CLLocationSpeed, Date
            ) -> CLLocation = CLLocation.init(
                coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:speed:timestamp:)
        let _:
            (
                CLLocationCoordinate2D, CLLocationDistance, CLLocationAccuracy, CLLocationAccuracy,
                CLLocationDirection, CLLocationDirectionAccuracy, CLLocationSpeed, CLLocationSpeedAccuracy,
                Date
            ) -> CLLocation = CLLocation.init(
                coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:courseAccuracy:speed:
                speedAccuracy:timestamp:)
        let _: KeyPath<CLLocation, CLLocationCoordinate2D> = \CLLocation.coordinate
        let _: KeyPath<CLLocation, CLLocationDistance> = \CLLocation.altitude
    }

    @available(*, deprecated)
    static func useCLLocation2() {
        let _: KeyPath<CLLocation, CLLocationAccuracy> = \CLLocation.horizontalAccuracy
        let _: KeyPath<CLLocation, CLLocationAccuracy> = \CLLocation.verticalAccuracy
        let _: KeyPath<CLLocation, CLLocationDirection> = \CLLocation.course
        let _: KeyPath<CLLocation, CLLocationDirectionAccuracy> = \CLLocation.courseAccuracy
        let _: KeyPath<CLLocation, CLLocationSpeed> = \CLLocation.speed
        let _: KeyPath<CLLocation, CLLocationSpeedAccuracy> = \CLLocation.speedAccuracy
        let _: KeyPath<CLLocation, Date> = \CLLocation.timestamp
        let _: (CLLocation) -> (CLLocation) -> CLLocationDistance = CLLocation.distance(from:)
    }
}
