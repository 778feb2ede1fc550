import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useLocations() {
        let _: Double.Type = CLLocationDegrees.self
        let _: Double.Type = CLLocationDistance.self
        let _: Double.Type = CLLocationAccuracy.self
        let _: Double.Type = CLLocationSpeed.self
        let _: Double.Type = CLLocationSpeedAccuracy.self
        let _: Double.Type = CLLocationDirection.self
        let _: Double.Type = CLLocationDirectionAccuracy.self
        let _: CLLocationCoordinate2D.Type = CLLocationCoordinate2D.self
        let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \CLLocationCoordinate2D.latitude
        let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \CLLocationCoordinate2D.longitude
        let _: () -> CLLocationCoordinate2D = CLLocationCoordinate2D.init
        let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocationCoordinate2D = CLLocationCoordinate2D.init(
            latitude:longitude:)
        let _: (CLLocationCoordinate2D) -> Bool = CLLocationCoordinate2DIsValid(_:)
        let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocationCoordinate2D = CLLocationCoordinate2DMake(
            _:_:)
        let _: CLLocationCoordinate2D = kCLLocationCoordinate2DInvalid
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
        let _: Readable<CLLocation, CLLocationCoordinate2D> = \.coordinate
        let _: Readable<CLLocation, CLLocationDistance> = \.altitude
        let _: Readable<CLLocation, CLLocationAccuracy> = \.horizontalAccuracy
        let _: Readable<CLLocation, CLLocationAccuracy> = \.verticalAccuracy
        let _: Readable<CLLocation, CLLocationDirection> = \.course
        let _: Readable<CLLocation, CLLocationDirectionAccuracy> = \.courseAccuracy
        let _: Readable<CLLocation, CLLocationSpeed> = \.speed
        let _: Readable<CLLocation, CLLocationSpeedAccuracy> = \.speedAccuracy
        let _: Readable<CLLocation, Date> = \.timestamp
        let _: (CLLocation) -> (CLLocation) -> CLLocationDistance = CLLocation.distance(from:)
    }
}
