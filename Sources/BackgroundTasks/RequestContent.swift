import CLullPlugin
import Foundation

/// What a request says, as a value: it may cross threads, which the request objects of Apple's API may not.
struct RequestContent: Sendable, Equatable {
    var kind: lull_kind
    var identifier: String
    /// Nanoseconds since 1970; 0 when there is no earlier bound.
    var earliestBegin: Int64
    var requirements: lull_requirements

    init(_ request: BGTaskRequest) {
        identifier = request.identifier
        earliestBegin = request.earliestBeginDate.map(\.unixNanoseconds) ?? 0
        requirements = 0
        guard let processing = request as? BGProcessingTaskRequest else {
            kind = lull_kind(LULL_KIND_REFRESH)
            return
        }
        kind = lull_kind(LULL_KIND_PROCESSING)
        if processing.requiresNetworkConnectivity {
            requirements |= lull_requirements(LULL_REQUIRES_NETWORK)
        }
        if processing.requiresExternalPower {
            requirements |= lull_requirements(LULL_REQUIRES_EXTERNAL_POWER)
        }
    }

    init(_ request: UnsafePointer<lull_request>) {
        kind = request.pointee.kind
        identifier = String(cString: request.pointee.identifier)
        earliestBegin = request.pointee.earliest_begin_unix_ns
        requirements = request.pointee.requirements
    }

    /// A request object of the class that fits.
    func makeRequest() -> BGTaskRequest {
        let request: BGTaskRequest
        if kind == lull_kind(LULL_KIND_REFRESH) {
            request = BGAppRefreshTaskRequest(identifier: identifier)
        } else {
            let processing = BGProcessingTaskRequest(identifier: identifier)
            processing.requiresNetworkConnectivity =
                requirements & lull_requirements(LULL_REQUIRES_NETWORK) != 0
            processing.requiresExternalPower =
                requirements & lull_requirements(LULL_REQUIRES_EXTERNAL_POWER) != 0
            request = processing
        }
        request.earliestBeginDate = earliestBegin == 0 ? nil : Date(unixNanoseconds: earliestBegin)
        return request
    }
}

/// Gathers what the host's `pending` visits, on the thread that asked.
final class PendingRequests {
    private(set) var contents: [RequestContent] = []

    func append(_ request: UnsafePointer<lull_request>) {
        contents.append(RequestContent(request))
    }
}

extension Date {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000
    private static let referenceDate = Int64(Date.timeIntervalBetween1970AndReferenceDate)

    /// Never 0, which would say "no earlier bound"; dates beyond the years that fit are taken to the nearest that does.
    var unixNanoseconds: Int64 {
        // Whole seconds and the rest apart: together they have more digits than a Double.
        let interval = timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return interval < 0 ? 1 : .max }
        let rest = Int64(((interval - whole) * 1e9).rounded())
        let since1970 = seconds.addingReportingOverflow(Self.referenceDate)
        let product = since1970.partialValue.multipliedReportingOverflow(by: Self.nanosecondsPerSecond)
        let sum = product.partialValue.addingReportingOverflow(rest)
        if since1970.overflow || product.overflow || sum.overflow { return interval < 0 ? 1 : .max }
        return max(sum.partialValue, 1)
    }

    init(unixNanoseconds: Int64) {
        let (seconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - Self.referenceDate) + Double(rest) / 1e9)
    }
}
