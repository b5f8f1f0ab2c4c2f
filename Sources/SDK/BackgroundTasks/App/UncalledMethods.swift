import CLullEntry
import Foundation

/// Logs, when the app launches, the names of delegate methods that will never be called.
///
/// iOS finds a method by its name. Swift binds the delegate's methods in the class that adopts the protocol: a method that
/// only a subclass of it has does not implement the protocol. The compiler does not warn of that, and at run time only the
/// library's symbol table has the names.
enum UncalledMethods {
    private static let app = "BackgroundTasks.UIApplication"
    /// The methods that are called here, each with the beginning of its symbol after the class name.
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
        // A class without a superclass adopts the protocol itself.
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

    /// `classes`: the delegate's own class, then its superclasses; `symbols`: demangled.
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

    /// Suffixes of functions, of method descriptors (which stay where the optimizer removed the function), and of conformances.
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
