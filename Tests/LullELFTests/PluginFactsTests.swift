import Foundation
import Testing

@testable import LullELF

/// The facts in a plugin's file, which are read before it is loaded.
struct PluginFactsTests {
    @Test(arguments: [
        ["gcc"], ["clang"], ["clang", "-fuse-ld=lld"], ["gcc", "-fuse-ld=gold"],
        ["gcc", "-Wl,--hash-style=sysv"],
        ["gcc", "-O2", "-s"], ["clang", "-fuse-ld=lld", "-Wl,--pack-dyn-relocs=relr"],
    ])
    func `a plugin's version, maker, libraries and exports are read`(tool: [String]) throws {
        let forge = try Forge()
        let path = try forge.compile(
            Forge.plain + "\nint also_exported(void) { return 1; }\n", with: tool[0],
            options: ["-shared", "-fPIC", "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN/lib:/opt/lib"]
                + tool.dropFirst())
        let facts = try PluginFacts(ofFile: path, exports: true)
        #expect(facts.abiMajor == PluginFacts.ownMajor && facts.abiMinor == PluginFacts.ownMinor)
        #expect(facts.sdk == "c of the forge")
        #expect(facts.needed == ["libc.so.6"])
        #expect(facts.searchPath == ["$ORIGIN/lib", "/opt/lib"])
        #expect(facts.otherExports.contains("also_exported"))
    }

    @Test func `a name that is not exported is no entry`() throws {
        let forge = try Forge()
        let hidden = Forge.plain.replacing(
            "const lull_plugin lull_plugin_entry",
            with: "__attribute__((visibility(\"hidden\"))) const lull_plugin lull_plugin_entry")
        // The header's declaration makes the entry visible, so another name shows the effect of hiding.
        let renamed = hidden.replacing("lull_plugin_entry", with: "lull_plugin_entry_2")
        #expect(Forge.fault(ofFile: try forge.compile(renamed)) == .noEntry)
    }

    @Test(arguments: [
        (
            ".abi_major = LULL_ABI_MAJOR", ".abi_major = 2",
            PluginFault.otherMajor(2, minor: 0, ownMajor: 1, ownMinor: 0)
        ),
        (".abi_major = LULL_ABI_MAJOR", ".abi_major = 0", .otherMajor(0, minor: 0, ownMajor: 1, ownMinor: 0)),
        (".size = sizeof(lull_plugin)", ".size = 8", .tooSmall(size: 8, least: 32)),
        (".size = sizeof(lull_plugin)", ".size = 0", .tooSmall(size: 0, least: 32)),
        (".start = start, ", "", .missingFunction("start")),
        (".launch = launch,", "", .missingFunction("launch")),
    ])
    func `an entry that does not fit is told by the file alone`(old: String, new: String, fault: PluginFault)
        throws
    {
        let forge = try Forge()
        var expected = fault
        if case .otherMajor(let major, _, let own, _) = fault {
            let minor = PluginFacts.ownMinor
            expected = .otherMajor(major, minor: minor, ownMajor: own, ownMinor: minor)
        }
        #expect(Forge.fault(ofFile: try forge.compile(Forge.plain.replacing(old, with: new))) == expected)
    }

    @Test func `later versions are no fault, and neither is an entry that has grown`() throws {
        let forge = try Forge()
        let source = """
            #include "lull_plugin.h"
            static int32_t start(const lull_host *host) { (void)host; return 0; }
            static void launch(const lull_launch *launch) { (void)launch; }
            const struct { lull_plugin base; void *more[8]; } entry __asm__("lull_plugin_entry") = {
                .base = { .size = sizeof entry, .abi_major = 1, .abi_minor = 77, .start = start, .launch = launch },
            };
            """.replacing("sizeof entry", with: "sizeof(lull_plugin) + 64")
        let facts = try PluginFacts(ofFile: forge.compile(source))
        #expect(facts.abiMinor == 77)
        #expect(facts.sdk == nil)
    }

    @Test func `an entry that is a function or a thread's is none`() throws {
        let forge = try Forge()
        #expect(Forge.fault(ofFile: try forge.compile("void lull_plugin_entry(void) {}")) == .entryIsNoData)
        #expect(
            Forge.fault(ofFile: try forge.compile("__thread long lull_plugin_entry[8];")) == .entryIsNoData)
        // Without an initial value it is all zero, even if the file has no bytes for it.
        let zero = try forge.compile("char lull_plugin_entry[64];")
        #expect(Forge.fault(ofFile: zero) == .tooSmall(size: 0, least: 32))
    }
}
