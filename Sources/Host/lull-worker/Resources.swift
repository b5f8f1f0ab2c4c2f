import CLullPlugin
import Glibc

/// What a continued request may ask of this machine, beside the processor.
enum Resources {
    static let offered: lull_resources = hasGPU ? lull_resources(LULL_RESOURCE_GPU) : 0

    /// A render node that this user may open.
    private static var hasGPU: Bool {
        (128..<144).contains { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 }
    }

    /// Why a request for these is refused; nil: all of them are offered.
    static func refusal(of wanted: lull_resources) -> String? {
        guard wanted & ~offered != 0 else { return nil }
        return wanted & ~offered == lull_resources(LULL_RESOURCE_GPU)
            ? "The request needs a GPU, but there is none that this user may open. "
                + "Submit it without the resource, or let the user open /dev/dri/renderD128."
            : "The request needs resources that this worker does not know. Ask lull_host.resources first."
    }
}
