import BackgroundTasks
import UserNotifications

// What Apple's headers make unavailable, but for what stand-ins in tests begin with: each line that says so must not compile, and no other may fail.

func make(_ task: BGTask) {
    _ = BGContinuedProcessingTask()  // refused
    _ = BGTaskRequest()  // refused
    _ = BGTaskRequest(identifier: "a")  // refused
    _ = BGAppRefreshTaskRequest()  // refused
    _ = BGProcessingTaskRequest()  // refused
    _ = BGContinuedProcessingTaskRequest(identifier: "a")  // refused
    task.identifier = "b"  // refused
    let request = BGAppRefreshTaskRequest(identifier: "a")
    request.identifier = "b"  // refused
    request.requiresExternalPower = true  // refused
    BGTaskScheduler.shared = BGTaskScheduler.shared  // refused
    _ = UIApplicationMain(0, CommandLine.unsafeArgv, nil, nil)  // refused
    needsSendable(task)  // refused
    needsSendable(request)  // refused
    needsSendable(BGTaskScheduler.shared)  // refused
    needsSendable(UNMutableNotificationContent())  // refused
}

func needsSendable(_ value: some Sendable) {}
