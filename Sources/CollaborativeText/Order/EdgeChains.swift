/// Chains of runs. Each run of a chain is the first, or the last, in the text of the subtree of the run
/// before it.
///
/// The bottom of a chain, its last run, is found in constant time. Walking down would be slow in a long
/// chain, such as that of a text that was typed backwards. When a chain is cut, the shorter part moves to a
/// new chain, so that no run moves often.
struct EdgeChains: Sendable {
    private struct Chain: Sendable {
        var runs: [Int32]
        /// The index of the first run that still belongs to the chain. The runs before it have moved.
        var start = 0
    }

    private struct Position: Sendable {
        var chain: Int32
        var index: Int32
    }

    private var chains: [Chain] = []
    private var places: [Position] = []

    /// Adds the next run, in a chain of its own.
    mutating func add() {
        places.append(Position(chain: Int32(chains.count), index: 0))
        chains.append(Chain(runs: [Int32(places.count - 1)]))
    }

    func bottom(of run: Int32) -> Int32 {
        let runs = chains[Int(places[Int(run)].chain)].runs
        return runs[runs.count - 1]
    }

    /// Makes the last added run follow `upper` in its chain. The runs that followed it become a chain of
    /// their own.
    mutating func addLast(below upper: Int32) {
        // Removes the chain that `add` created for the run.
        chains.removeLast()
        cut(below: upper)
        let chain = places[Int(upper)].chain
        let last = Int32(places.count - 1)
        places[Int(last)] = Position(chain: chain, index: Int32(chains[Int(chain)].runs.count))
        chains[Int(chain)].runs.append(last)
    }

    /// Makes a run the bottom of its chain. The runs that followed it become a chain of their own.
    mutating func cut(below run: Int32) {
        let place = places[Int(run)]
        let (old, end) = (Int(place.chain), Int(place.index) + 1)
        guard end < chains[old].runs.count else { return }
        if chains[old].runs.count - end <= end - chains[old].start {
            let lower = Array(chains[old].runs[end...])
            chains[old].runs.removeSubrange(end...)
            move(lower)
        } else {
            let upper = Array(chains[old].runs[chains[old].start..<end])
            chains[old].start = end
            move(upper)
        }
    }

    private mutating func move(_ runs: [Int32]) {
        for (index, run) in runs.enumerated() {
            places[Int(run)] = Position(chain: Int32(chains.count), index: Int32(index))
        }
        chains.append(Chain(runs: runs))
    }
}
