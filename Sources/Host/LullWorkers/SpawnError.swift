internal import Glibc

/// A worker that could not be started.
struct SpawnError: Error, Equatable {
    let executable: String
    let code: Int32

    var message: String {
        switch code {
        case ENOENT: "There is no worker at '\(executable)'. Install lull-worker beside lull."
        case EACCES: "This user may not run the worker '\(executable)'. Change its permissions."
        case EMFILE, ENFILE: "There are too many open files to start a worker. Raise the limit (`ulimit -n`)."
        case EAGAIN: "The worker '\(executable)' can't be started: \(ProcessShortage.sentence)"
        default: "The worker '\(executable)' can't be started: \(String(cString: strerror(code)))."
        }
    }
}
