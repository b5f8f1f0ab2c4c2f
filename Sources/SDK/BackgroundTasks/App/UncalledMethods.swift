import CLullEntry
import Foundation

/// Methods of the delegate that nobody will call, told by name when the app launches.
///
/// On iOS a method is found by its name. Swift alone binds the delegate's methods where its class adopts the
/// protocol: what a subclass adds, and the class that adopts it does not have, is no method of the protocol. The compiler
/// says nothing of that, and at run time only the library's table of symbols knows their names.
enum UncalledMethods {
    private static let app = "BackgroundTasks.UIApplication"
    /// What is called here, and how its symbol begins behind the name of its class.
    private static let called = [
        ("applicationDidFinishLaunching(_:)", "applicationDidFinishLaunching(\(app)"),
        ("applicationDidEnterBackground(_:)", "applicationDidEnterBackground(\(app)"),
        method("willFinishLaunchingWithOptions"), method("didFinishLaunchingWithOptions"),
        method("performFetchWithCompletionHandler"),
        (
            "application(_:handleEventsForBackgroundURLSession:completionHandler:)",
            "application(_: \(app), handleEventsForBackgroundURLSession: "
        ),
        method("didFailToRegisterForRemoteNotificationsWithError"), method("configurationForConnecting"),
    ]

    private static func method(_ label: String) -> (String, String) {
        ("application(_:\(label):)", "application(_: \(app), \(label): ")
    }

    static func tell(of delegate: any UIApplicationDelegate) {
        let classes = ancestry(of: delegate)
        // Whoever adopts it itself has no subclass here.
        guard classes.count > 1, let library = AppBundle.library else { return }
        let symbols = SymbolTable.names(in: library).compactMap(demangled)
        for sentence in sentences(of: classes, symbols) { LullApp.log(sentence, level: .error) }
    }

    /// The delegate's class and those it inherits from, up to UIKit's own.
    private static func ancestry(of delegate: any UIApplicationDelegate) -> [String] {
        var classes: [String] = []
        var next: Mirror? = Mirror(reflecting: delegate)
        while let mirror = next, mirror.subjectType != UIResponder.self, mirror.subjectType != NSObject.self {
            classes.append(String(reflecting: mirror.subjectType))
            next = mirror.superclassMirror
        }
        return classes
    }

    /// `classes`: from the delegate's own upwards; `symbols`: in the words of the source.
    static func sentences(of classes: [String], _ symbols: [String]) -> [String] {
        let known = Set(symbols)
        let adopter = classes.firstIndex { name in
            symbols.contains {
                $0.hasPrefix("protocol conformance descriptor for \(name) : \(app)Delegate ")
            }
        }
        guard let adopter, adopter > 0 else { return [] }
        return called.flatMap { method, beginning -> [String] in
            let has = classes.map { name in known.contains { $0.hasPrefix("\(name).\(beginning)") } }
            guard !has[adopter...].contains(true), let index = has[..<adopter].firstIndex(of: true) else {
                return []
            }
            return [
                "\(classes[index]).\(method) is never called: \(classes[adopter]) adopts UIApplicationDelegate and "
                    + "lacks this method. Add it to \(classes[adopter]), and `override` it in its subclass."
            ]
        }
    }

    /// Of functions, of methods whose function the optimizer took away, and of conformances.
    private static let endings = ["F", "FTq", "Mc"]
    private static let descriptor = "method descriptor for "

    private static func demangled(_ symbol: String) -> String? {
        guard symbol.hasPrefix("$s"), endings.contains(where: symbol.hasSuffix),
            let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0)
        else { return nil }
        defer { free(text) }
        let name = String(cString: text)
        return name.hasPrefix(descriptor) ? String(name.dropFirst(descriptor.count)) : name
    }
}
