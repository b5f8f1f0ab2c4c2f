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
