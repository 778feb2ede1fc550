/// A place around which sample parties take place.
struct SeedPlace: Sendable {
    var name: String
    var latitude: Double
    var longitude: Double
    /// Whole hours ahead of UTC in winter time.
    var hoursAheadOfUTC: Int

    fileprivate init(_ name: String, _ latitude: Double, _ longitude: Double, utc: Int = -8) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        hoursAheadOfUTC = utc
    }
}

/// The places that `SeedGenerator` picks from. The order matters: moving a line changes every generated
/// party.
enum SeedPlaces {
    /// Each place is far enough from the water that a party a few hundred metres away is on land.
    static let sanFrancisco: [SeedPlace] = [
        SeedPlace("Yerba Buena Gardens", 37.7849, -122.4022),
        SeedPlace("Moscone Center", 37.7842, -122.4016),
        SeedPlace("Union Square", 37.7880, -122.4075),
        SeedPlace("South Park", 37.7816, -122.3940),
        SeedPlace("Civic Center", 37.7793, -122.4180),
        SeedPlace("Hayes Valley", 37.7764, -122.4242),
        SeedPlace("Alamo Square", 37.7764, -122.4346),
        SeedPlace("Dolores Park", 37.7596, -122.4269),
        SeedPlace("The Castro", 37.7609, -122.4350),
        SeedPlace("Bernal Heights", 37.7430, -122.4152),
        SeedPlace("Potrero Hill", 37.7605, -122.4009),
        SeedPlace("Dogpatch", 37.7583, -122.3910),
        SeedPlace("Mission Bay", 37.7706, -122.3920),
        SeedPlace("Chinatown", 37.7941, -122.4078),
        SeedPlace("North Beach", 37.8005, -122.4100),
        SeedPlace("Telegraph Hill", 37.8005, -122.4075),
        SeedPlace("Nob Hill", 37.7930, -122.4161),
        SeedPlace("Russian Hill", 37.8005, -122.4194),
        SeedPlace("Pacific Heights", 37.7925, -122.4382),
        SeedPlace("Japantown", 37.7854, -122.4294),
        SeedPlace("Lower Haight", 37.7719, -122.4312),
        SeedPlace("Cole Valley", 37.7656, -122.4500),
        SeedPlace("Inner Sunset", 37.7625, -122.4660),
        SeedPlace("Golden Gate Park", 37.7694, -122.4720),
        SeedPlace("Inner Richmond", 37.7810, -122.4640),
        SeedPlace("Noe Valley", 37.7502, -122.4337),
        SeedPlace("Glen Park", 37.7340, -122.4330),
        SeedPlace("Twin Peaks", 37.7544, -122.4477),
        SeedPlace("The Excelsior", 37.7240, -122.4270),
        SeedPlace("The Presidio", 37.7989, -122.4600),
    ]

    static let world: [SeedPlace] = [
        SeedPlace("Cupertino", 37.3230, -122.0322),
        SeedPlace("Los Angeles", 34.0522, -118.2437),
        SeedPlace("Sarasota", 27.3364, -82.4800, utc: -5),
        SeedPlace("New York", 40.7306, -73.9866, utc: -5),
        SeedPlace("Montréal", 45.5089, -73.6000, utc: -5),
        SeedPlace("Ciudad de México", 19.4326, -99.1332, utc: -6),
        SeedPlace("São Paulo", -23.5505, -46.6333, utc: -3),
        SeedPlace("Buenos Aires", -34.6037, -58.4200, utc: -3),
        SeedPlace("Bogotá", 4.6533, -74.0836, utc: -5),
        SeedPlace("Reykjavík", 64.1300, -21.8800, utc: 0),
        SeedPlace("London", 51.5074, -0.1278, utc: 0),
        SeedPlace("Bognor Regis", 50.8100, -0.6700, utc: 0),
        SeedPlace("Lisboa", 38.7400, -9.1500, utc: 0),
        SeedPlace("Sevilla", 37.3891, -5.9845, utc: 1),
        SeedPlace("Paris", 48.8566, 2.3522, utc: 1),
        SeedPlace("Monte-Carlo", 43.7600, 7.4000, utc: 1),
        SeedPlace("Zürich", 47.3900, 8.5100, utc: 1),
        SeedPlace("Köln", 50.9375, 6.9300, utc: 1),
        SeedPlace("Berlin", 52.5200, 13.4050, utc: 1),
        SeedPlace("København", 55.6900, 12.5200, utc: 1),
        SeedPlace("Kraków", 50.0647, 19.9450, utc: 1),
        SeedPlace("Napoli", 40.8600, 14.2500, utc: 1),
        SeedPlace("Helsinki", 60.2000, 24.9300, utc: 2),
        SeedPlace("İstanbul", 41.0800, 28.9500, utc: 3),
        SeedPlace("Nairobi", -1.2921, 36.8219, utc: 3),
        SeedPlace("Cape Town", -33.9500, 18.4800, utc: 2),
        SeedPlace("Lagos", 6.6000, 3.3500, utc: 1),
        SeedPlace("Delhi", 28.6139, 77.2090, utc: 5),
        SeedPlace("Bangkok", 13.7563, 100.5018, utc: 7),
        SeedPlace("Hà Nội", 21.0278, 105.8342, utc: 7),
        SeedPlace("Singapore", 1.3521, 103.8198, utc: 8),
        SeedPlace("台北", 25.0478, 121.5319, utc: 8),
        SeedPlace("東京", 35.6895, 139.6917, utc: 9),
        SeedPlace("서울", 37.5665, 126.9780, utc: 9),
        SeedPlace("Melbourne", -37.7900, 144.9631, utc: 10),
        SeedPlace("Auckland", -36.8900, 174.7500, utc: 12),
    ]
}
