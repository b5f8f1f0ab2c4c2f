import Foundation
import Testing

@testable import LullELF

/// Files that are no plugins: each kind has its own message and remedy.
struct PluginFaultTests {
    @Test(arguments: [
        ("", "it is empty"), ("plain words\n", "but a text"), ("#!/bin/sh\necho\n", "but a script"),
        ("/* GNU ld script */\nINPUT(libreal.so.1)\n", "but a linker script. Give the library"),
        ("!<arch>\nfoo", "but a static library"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("MZ\u{1}\u{2}", "for Windows"), ("PK\u{3}\u{4}", "compressed file. Unpack it."),
        ("\u{0}asm\u{1}", "WebAssembly"), ("\u{1}\u{2}\u{3}\u{0}", "it is not an ELF file"),
        ("\u{7f}ELF", "is cut short: it has 4 bytes."),
    ])
    func `what is no ELF file is told by its content`(content: String, words: String) throws {
        let fault = try #require(Forge.fault(of: Array(content.utf8)))
        #expect(fault.sentence(about: "/a.so").contains(words), "\(fault.sentence(about: "/a.so"))")
    }

    @Test func `a folder, a pipe and a file that is not there are told apart`() throws {
        let forge = try Forge()
        #expect(Forge.fault(ofFile: forge.folder) == .notAFile)
        #expect(Forge.fault(ofFile: forge.folder + "/none.so") == .missing)
        #expect(mkfifo(forge.folder + "/pipe.so", 0o600) == 0)
        #expect(Forge.fault(ofFile: forge.folder + "/pipe.so") == .notAFile)
    }

    @Test(arguments: [
        (["-pie", "-fPIE"], PluginFault.program), (["-no-pie"], .program), (["-static"], .program),
        (["-static-pie", "-fPIE"], .program), (["-c"], .objectFile),
    ])
    func `a program and an object file are no libraries`(options: [String], fault: PluginFault) throws {
        let forge = try Forge()
        let path = try forge.compile(Forge.plain + "\nint main(void) { return 0; }\n", options: options)
        #expect(Forge.fault(ofFile: path) == fault)
    }

    @Test(arguments: [
        (4, [1] as [UInt8], "x86-64 with 32 bits"), (18, [183, 0], "AArch64"),
        (18, [3, 0], "x86 with 32 bits"),
        (18, [0xff, 0x7f], "ELF's number 32767"), (5, [2], "number 15872"),
    ])
    func `a file for another machine names it`(offset: Int, bytes: [UInt8], name: String) throws {
        guard Machine.own == .x86_64 else { try Test.cancel("the names are those that x86-64 differs from") }
        let forge = try Forge()
        let plugin = try forge.bytes(of: forge.compile()).with(bytes, at: offset)
        let sentence = try #require(Forge.fault(of: plugin)).sentence(about: "/a.so")
        #expect(sentence.contains("'/a.so' was built for another kind of machine: for "))
        #expect(sentence.contains(name) && sentence.hasSuffix("Build it on this machine."), "\(sentence)")
    }

    @Test func `a real file with 32 bits is refused`() throws {
        let forge = try Forge()
        let path = try forge.compile("int x;", options: ["-m32", "-shared", "-fPIC", "-nostdlib"])
        #expect(Forge.fault(ofFile: path) == .otherMachine("x86 with 32 bits"))
    }

    @Test func `a file that was cut anywhere is refused, and mostly as cut short`() throws {
        let forge = try Forge()
        let whole = try forge.bytes(of: forge.compile())
        #expect(Forge.fault(of: whole) == nil)
        for length in 0..<whole.count {
            guard let fault = Forge.fault(of: Array(whole.prefix(length))) else {
                Issue.record("\(length) of \(whole.count) bytes pass for a plugin")
                continue
            }
            guard length > 64 else { continue }
            guard case .truncated(UInt64(length), _) = fault else {
                Issue.record("cut to \(length) bytes it is \(fault)")
                continue
            }
        }
        let half = PluginFault.truncated(has: 100, needs: UInt64(whole.count))
        #expect(
            half.sentence(about: "/a.so") == "'/a.so' is cut short: it has 100 bytes of \(whole.count). "
                + "Copy or build it again, and wait until that has ended.")
    }
}
