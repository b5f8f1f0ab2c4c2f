import CLullPlugin

/// Version 1.1 of the contract: continued tasks, activities, power, faults and the output of runs. If the worker does not
/// offer a function, the result is nil, or nothing happens.
extension HostTable {
    /// A mistake in the plugin's code.
    enum Fault {
        case registeredTwice, notRegistered, registeredLate, taskDropped

        fileprivate var number: lull_fault {
            switch self {
            case .registeredTwice: lull_fault(LULL_FAULT_REGISTERED_TWICE)
            case .notRegistered: lull_fault(LULL_FAULT_NOT_REGISTERED)
            case .registeredLate: lull_fault(LULL_FAULT_REGISTERED_LATE)
            case .taskDropped: lull_fault(LULL_FAULT_TASK_DROPPED)
            }
        }
    }

    /// Does not return from a fault that ends the worker.
    func report(
        _ fault: Fault, task: lull_task = 0, subject: String, place: String? = nil,
        earlierPlace: String? = nil
    ) {
        guard table.has(\.report_fault), let report = table.pointee.report_fault else { return }
        place.withOptionalCString { place in
            earlierPlace.withOptionalCString { earlierPlace in
                report(table, fault.number, task, subject.withoutNul, place, earlierPlace)
            }
        }
    }

    /// Writes to a run's output; false if the worker can't tell the output of runs apart.
    func print(
        _ bytes: UnsafeRawBufferPointer, to stream: LullRunOutput.Stream, of task: lull_task
    ) -> Bool {
        guard table.has(\.print_task), let print = table.pointee.print_task else { return false }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        let number = stream == .output ? LULL_STREAM_OUTPUT : LULL_STREAM_ERROR
        print(table, task, lull_stream(number), start, bytes.count)
        return true
    }

    func show(_ progress: TaskProgress.Reading, of task: lull_task) {
        table.pointee.progress(table, task, progress.completed, progress.total, nil)
    }

    func show(title: String, subtitle: String, of task: lull_task) {
        guard table.has(\.update_titles), let update = table.pointee.update_titles else { return }
        update(table, task, title.withoutNul, subtitle.withoutNul)
    }

    var resources: lull_resources { table.has(\.resources) ? table.pointee.resources : 0 }

    /// The number of an activity that keeps the app from being suspended; 0 when it may not begin, nil when the
    /// worker offers none. The registry has to outlive it.
    func beginActivity(_ name: String, for registry: Registry) -> UInt64? {
        guard table.has(\.begin_activity), let begin = table.pointee.begin_activity else { return nil }
        let context = Unmanaged.passUnretained(registry).toOpaque()
        return begin(table, name.withoutNul, context, lull_swift_expire_activity)
    }

    func endActivity(_ number: UInt64) {
        guard table.has(\.end_activity), let end = table.pointee.end_activity else { return }
        end(table, number)
    }

    /// Nanoseconds until the app's activities expire; nil while no time is counted.
    var backgroundTimeRemaining: Int64? {
        guard table.has(\.background_time_remaining), let remaining = table.pointee.background_time_remaining
        else { return nil }
        let nanoseconds = remaining(table)
        return nanoseconds == .max ? nil : nanoseconds
    }

    var isLowPowerMode: Bool {
        guard table.has(\.is_low_power_mode), let ask = table.pointee.is_low_power_mode else { return false }
        return ask(table)
    }

    /// Has `lull_swift_power_changed` called after each change.
    func watchPower() {
        guard table.has(\.set_low_power_handler), let watch = table.pointee.set_low_power_handler else {
            return
        }
        watch(table, nil, lull_swift_power_changed)
    }
}
