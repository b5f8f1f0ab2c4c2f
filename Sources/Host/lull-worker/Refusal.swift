import CLullShims
import Glibc
import LullWire

/// Says why this worker will not run, and ends it with the status for that.
func refuse(_ phase: StartPhase, _ sentence: String) -> Never {
    lull_flush_output()
    ControlSocket.send(.failed(phase: phase, sentence: sentence))
    _exit(Wire.refusedStatus)
}
