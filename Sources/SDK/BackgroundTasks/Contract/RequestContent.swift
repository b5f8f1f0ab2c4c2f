import CLullPlugin
import Foundation

/// The content of a request as a value: it may cross threads, which the request objects of Apple's API may not.
struct RequestContent: Sendable, Equatable {
    var kind: lull_kind
    var identifier: String
    /// Nanoseconds since 1970; 0 when there is no earlier bound.
    var earliestBegin: Int64 = 0
    var requirements: lull_requirements = 0
    var title: String?
    var subtitle: String?
    var strategy: lull_strategy = 0
    var resources: lull_resources = 0
    /// Not nil for health research.
    var protection: String?

    init(_ request: BGTaskRequest) {
        identifier = request.identifier
        earliestBegin = request.earliestBeginDate.map(\.unixNanoseconds) ?? 0
        switch request {
        case let request as BGProcessingTaskRequest:
            kind = lull_kind(LULL_KIND_PROCESSING)
            if request.requiresNetworkConnectivity { requirements |= .network }
            if request.requiresExternalPower { requirements |= .externalPower }
            protection =
                (request as? BGHealthResearchTaskRequest).map { "\($0.protectionTypeOfRequiredData)" }
        case let request as BGContinuedProcessingTaskRequest:
            kind = lull_kind(LULL_KIND_CONTINUED)
            title = request.title
            subtitle = request.subtitle
            // The contract's default is to wait, so its numbers are not Apple's.
            strategy = lull_strategy(
                request.strategy == .fail ? LULL_STRATEGY_FAIL : LULL_STRATEGY_QUEUE)
            resources = lull_resources(truncatingIfNeeded: request.requiredResources.rawValue)
        default:
            kind = lull_kind(LULL_KIND_REFRESH)
        }
    }

    init(_ request: UnsafePointer<lull_request>) {
        kind = request.pointee.kind
        identifier = String(cString: request.pointee.identifier)
        earliestBegin = request.pointee.earliest_begin_unix_ns
        requirements = request.pointee.requirements
        guard request.has(\.protection) else { return }
        title = request.pointee.title.map { String(cString: $0) }
        subtitle = request.pointee.subtitle.map { String(cString: $0) }
        strategy = request.pointee.strategy
        resources = request.pointee.resources
        protection = request.pointee.protection.map { String(cString: $0) }
    }

    /// Lends the request to C.
    func withRequest<R>(_ body: (UnsafePointer<lull_request>) -> R) -> R {
        identifier.withCString { identifier in
            title.withOptionalCString { title in
                subtitle.withOptionalCString { subtitle in
                    protection.withOptionalCString { protection in
                        let request = lull_request(
                            size: UInt32(MemoryLayout<lull_request>.size), kind: kind,
                            identifier: identifier, earliest_begin_unix_ns: earliestBegin,
                            requirements: requirements, reserved: 0, title: title, subtitle: subtitle,
                            strategy: strategy, resources: resources, protection: protection)
                        return withUnsafePointer(to: request, body)
                    }
                }
            }
        }
    }

    /// Makes a request object of the class for this kind.
    func makeRequest() -> BGTaskRequest {
        let request =
            switch kind {
            case lull_kind(LULL_KIND_REFRESH): BGAppRefreshTaskRequest(identifier: identifier)
            case lull_kind(LULL_KIND_CONTINUED): makeContinuedRequest()
            default: makeProcessingRequest()
            }
        request.earliestBeginDate = earliestBegin == 0 ? nil : Date(unixNanoseconds: earliestBegin)
        return request
    }

    private func makeContinuedRequest() -> BGTaskRequest {
        let request = BGContinuedProcessingTaskRequest(
            identifier: identifier, title: title ?? "", subtitle: subtitle ?? "")
        request.strategy = strategy == lull_strategy(LULL_STRATEGY_FAIL) ? .fail : .queue
        request.requiredResources = .init(rawValue: Int(resources))
        return request
    }

    private func makeProcessingRequest() -> BGTaskRequest {
        let request: BGProcessingTaskRequest
        if let protection {
            let health = BGHealthResearchTaskRequest(identifier: identifier)
            health.protectionTypeOfRequiredData = NSString(string: protection)
            request = health
        } else {
            request = BGProcessingTaskRequest(identifier: identifier)
        }
        request.requiresNetworkConnectivity = requirements & .network != 0
        request.requiresExternalPower = requirements & .externalPower != 0
        return request
    }
}

extension lull_requirements {
    fileprivate static let network = lull_requirements(LULL_REQUIRES_NETWORK)
    fileprivate static let externalPower = lull_requirements(LULL_REQUIRES_EXTERNAL_POWER)
}

extension String? {
    /// Lends the text to C; null where there is none.
    func withOptionalCString<R>(_ body: (UnsafePointer<CChar>?) -> R) -> R {
        guard let self else { return body(nil) }
        return self.withoutNul.withCString(body)
    }
}
