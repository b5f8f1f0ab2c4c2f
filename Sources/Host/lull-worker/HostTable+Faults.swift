import CLullPlugin
import LullModel
import LullWire

@c func hostReportFault(
    _ host: Host, _ fault: lull_fault, _ task: UInt64, _ subject: UnsafePointer<CChar>,
    _ place: UnsafePointer<CChar>?, _ earlierPlace: UnsafePointer<CChar>?
) {
    guard let session = session(host) else { return }
    let fault = CodeFault(
        kind: fault, run: task, subject: CText.read(subject, atMost: Limits.reasonBytes),
        place: CText.read(place, atMost: Wire.nameBytes),
        earlierPlace: CText.read(earlierPlace, atMost: Wire.nameBytes))
    if fault.endsWorker { session.violateAndEnd(task, fault.identifier, fault.sentence) }
    session.violate(task, fault.identifier, fault.sentence)
}
