import Testing

@testable import CloudConsole

@Suite("The bars of a chart")
struct BarChartTests {
    @Test(
        "A number of any size is drawn and named",
        arguments: [
            (BarChart.Unit.bytes, 1e300, "9223372036.8 GB"), (.bytes, 0x1p63, "9223372036.8 GB"),
            (.number, 0x1p63, "9223372036854775807"), (.milliseconds, 1e300, "9223372036854775807 ms"),
            (.number, 12.34, "12.3"), (.share, 0.005, "0.5 %"), (.number, 0, "0"),
        ])
    func sizes(unit: BarChart.Unit, value: Double, text: String) {
        let chart = BarChart(title: "Title", unit: unit, bars: [BarChart.Bar(label: "noon", value: value)])
        #expect(chart.summary == "at most \(text)")
        #expect(chart.rectangles.map(\.tip) == (value > 0 ? ["noon: \(text)"] : []))
    }
}
