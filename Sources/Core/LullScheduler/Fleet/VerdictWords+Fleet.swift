import LullModel

extension VerdictWords {
    func words(for fact: GateFact.Sharing) -> Words {
        switch fact {
        case .unshared: ("each host of the fleet runs it for itself", nil)
        case .askedHere: ("it was asked for on this host", nil)
        case .holds(let number): ("this host has its slot in the fleet (lease \(number))", nil)
        case .claims: ("this host asks the fleet for its slot as soon as its other gates are open", nil)
        case .asking: ("this host has asked the fleet for its slot, and waits for the answer", nil)
        case .lacks(let label, let wanted, let has):
            (
                "it runs on hosts with the label `\(label): \(wanted)`, but this one has "
                    + (has.map { "`\(label): \($0)`" } ?? "no `\(label)`"),
                "give this host the label under `fleet: { labels }` in \(manifest), or \(launch)"
            )
        case .better(let best, let own, let until):
            (
                "another host has a better moment (\(Phrase.percent(best)), here \(Phrase.percent(own))): unless it takes "
                    + "the slot, this host asks for it at \(moment(until))", nil
            )
        case .turn(let until): ("this host asks the fleet for its slot at \(moment(until))", nil)
        case .elsewhere(let host, let since, let until):
            (
                "\(host) has been running it since \(moment(since)); this host asks again at \(moment(until)) if \(host) has "
                    + "not answered by then", nil
            )
        case .notDue(let until):
            ("by the clock of the fleet's database it is not due before \(moment(until))", nil)
        case .full(let hosts, let most, _):
            ("\(runs(on: hosts)), and the fleet allows \(Phrase.count(most, "run")) at once", nil)
        case .differs(let hosts, _):
            (
                "\(hosts.isEmpty ? "another host" : Phrase.list(hosts)) has another definition of it, and its slot was "
                    + "made from that",
                "make the manifests agree: `lull fleet status` shows which host has which"
            )
        case .refused(let sentence, let until):
            ("the fleet's database answered: \(sentence); this host asks again at \(moment(until))", nil)
        case .draining(let drain): (words(for: drain), "end the drain with `lull fleet resume`, or \(launch)")
        case .never(let since):
            (
                "the fleet's database has not answered since \(moment(since)); tasks that need it wait, the others run",
                "see `lull fleet status`, or \(launch)"
            )
        case .away(let since, let sentence):
            (
                "the fleet's database has not answered for \(Phrase.span(max(.zero, now - since))) (\(sentence)); tasks that "
                    + "need it wait, the others run", "see `lull fleet status`, or \(launch)"
            )
        }
    }

    private func words(for drain: FleetState.Drain) -> String {
        // Text from other hosts may hold anything, so it is escaped. The gate itself shows since when the host is
        // drained.
        let by = drain.by.map { " by \($0.terminalSafe)" } ?? ""
        let until = drain.until.map { " until \(moment($0))" } ?? ""
        let why = drain.reason.map { " (\($0.terminalSafe))" } ?? ""
        return "this host is drained\(by)\(until)\(why), and takes no slots of the fleet"
    }

    private func runs(on hosts: [String]) -> String {
        hosts.isEmpty ? "other hosts run it" : "\(Phrase.list(hosts)) \(hosts.count == 1 ? "runs" : "run") it"
    }
}
