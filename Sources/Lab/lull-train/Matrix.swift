/// Numbers by row, in memory at a fixed address, which the passes read and write without a check at each number.
///
/// A matrix may be a view of a part of another's memory, which lives as long as one of its views.
struct Matrix {
    /// Zeros until they are written.
    final class Memory {
        let start: UnsafeMutablePointer<Float>

        init(count: Int) {
            start = .allocate(capacity: count)
            start.initialize(repeating: 0, count: count)
        }

        deinit { start.deallocate() }
    }

    typealias Lane = SIMD16<Float>

    let memory: Memory
    let start: UnsafeMutablePointer<Float>
    let rows: Int
    let columns: Int

    var count: Int { rows * columns }

    init(rows: Int, columns: Int) {
        self.init(of: Memory(count: rows * columns), at: 0, rows: rows, columns: columns)
    }

    init(of memory: Memory, at place: Int, rows: Int, columns: Int) {
        self.memory = memory
        start = memory.start + place
        self.rows = rows
        self.columns = columns
    }

    func row(_ row: Int) -> UnsafeMutablePointer<Float> { start + row * columns }

    func fill(_ value: Float) { start.update(repeating: value, count: count) }

    /// Sets every row to this one.
    func fill(rows row: Matrix) {
        for index in 0..<rows { self.row(index).update(from: row.start, count: columns) }
    }

    /// Adds `left · right`.
    func add(_ left: Matrix, _ right: Matrix) {
        precondition(left.rows == rows && left.columns == right.rows && right.columns == columns)
        add(left.start, byRow: left.columns, byColumn: 1, right)
    }

    /// Adds `leftᵀ · right`.
    func add(transposed left: Matrix, _ right: Matrix) {
        precondition(left.columns == rows && left.rows == right.rows && right.columns == columns)
        add(left.start, byRow: 1, byColumn: left.columns, right)
    }

    /// Adds the sum of all rows of `matrix` to this one row.
    func add(rowsOf matrix: Matrix) {
        precondition(rows == 1 && columns == matrix.columns)
        for index in 0..<matrix.rows {
            let row = matrix.row(index)
            for column in 0..<columns { start[column] += row[column] }
        }
    }

    func transpose(_ matrix: Matrix) {
        precondition(rows == matrix.columns && columns == matrix.rows)
        for row in 0..<rows {
            for column in 0..<columns { self.row(row)[column] = matrix.row(column)[row] }
        }
    }

    /// Two rows by sixteen columns at a time: as many sums as the registers of every x86-64 hold.
    private func add(_ left: UnsafeMutablePointer<Float>, byRow: Int, byColumn: Int, _ right: Matrix) {
        precondition(columns % 16 == 0 && rows % 2 == 0, "rows come in pairs and columns in lanes")
        for column in stride(from: 0, to: columns, by: 16) {
            for row in stride(from: 0, to: rows, by: 2) {
                var upper = Lane(at: self.row(row) + column)
                var lower = Lane(at: self.row(row + 1) + column)
                var factors = left + row * byRow
                var lane = right.start + column
                for _ in 0..<right.rows {
                    let values = Lane(at: lane)
                    upper += values * factors[0]
                    lower += values * factors[byRow]
                    factors += byColumn
                    lane += right.columns
                }
                upper.store(at: self.row(row) + column)
                lower.store(at: self.row(row + 1) + column)
            }
        }
    }
}

extension SIMD16<Float> {
    @inline(__always)
    init(at place: UnsafeMutablePointer<Float>) {
        self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
    }

    @inline(__always)
    func store(at place: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
    }
}
