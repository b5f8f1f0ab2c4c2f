#if DEBUG
    import LullModel
    import LullScheduler
    import LullWire
    import LullSimulator
    import Testing

    /// A simulation is worth the bugs it finds: a mutation is planted in each gate and in each promise, and rough weeks have
    /// to find it. A release build has no mutations.
    @Suite struct MutationTests {
        /// The most weeks until the mutation is found.
        private static let weeks: UInt64 = 150

        /// Words of the fault that is found, by the gate that is passed over.
        private static let gates: [(gate: GateName, words: [String])] = [
            (.permitted, ["is launched as"]),
            (.registered, ["registered no handler"]),
            (.enabled, ["while it is disabled"]),
            (.paused, ["while it is paused"]),
            (.idleApp, ["after its app became idle", "after it became idle"]),
            (.requested, ["nobody has asked for it"]),
            (.earliestBegin, ["before its begin date"]),
            (.network, ["without network", "metered network"]),
            (.externalPower, ["on battery"]),
            (.battery, ["too little charge"]),
            (.idle, ["while the host is in use"]),
            (.load, ["under load"]),
            (.disk, ["on a full disk"]),
            (.folder, ["keeps more than it may"]),
            (.window, ["outside its windows"]),
            (.quiet, ["in its quiet time"]),
            (.rateLimit, ["after a refresh of its app", "at its plugin's wish"]),
            (.budget, ["refresh launches in a day"]),
            (.backoff, ["after its failure", "after its app's start failed"]),
            (.concurrency, ["at once"]),
            (.shuttingDown, ["while the host is shutting down", "and has not after two minutes"]),
            (.moment, ["while the host is in use"]),
        ]

        private static let promises: [(bug: Mutation, words: [String])] = [
            (.forgetsQuotas, ["requests pending, of"]),
            (.forgetsWithdrawals, ["was told that it failed"]),
            (.replacesDue, ["put it off while it was started", "was put off"]),
            (.forgetsReplaced, ["two pending requests", "pending are"]),
            (.forgetsRetries, ["is not asked for again"]),
            (.forgetsInterrupted, ["is not asked for again"]),
            (.forgetsAttempts, ["is not tried again"]),
            (.forgetsTimes, ["nobody asks for the next"]),
            (.forgetsDays, ["on a closed day"]),
            (.movesRhythm, ["by an operator's hand"]),
            (.forgetsMissed, ["and does not say so"]),
            (.actsEarly, ["before it is recorded"]),
            (.waitsToEnd, ["is alive after"]),
            (.endsTwice, ["a second time"]),
            (.oversleeps, ["and the host wakes"]),
            (.discoversIdle, ["after it became idle"]),
            (.keepsWorkers, ["with settings that are no longer in force"]),
        ]

        private static let events: [(bug: Mutation, words: [String])] = [
            (.forgetsEvents, ["is recorded nowhere", "does not follow"]),
            (.leavesEvents, ["with its request", "with a request that gave way"]),
            (.followsAnything, ["which ended as"]),
        ]

        private static let slips: [(slip: SessionMutation, words: [String])] = [
            (.believesAnyRun, ["is believed, which is not its worker's", "completes twice"]),
            (.dropsAnswers, ["has no answer"]),
            (.mistakesAnswers, ["nobody waits for that"]),
            (.listensOn, ["after a fatal violation"]),
            (.forgetsAnswered, ["the withdrawal of submit"]),
            (.dropsCompletions, ["does not hear what its worker said"]),
        ]

        @Test func `there is a bug for each gate`() {
            // `FleetDaysTests` passes over the gate of the fleet, `CostLimitTests` over that of what runs cost.
            #expect(
                Set(Self.gates.map(\.gate)) == Set(GateName.allCases).subtracting([.fleet, .costLimit]))
        }

        @Test(arguments: gates)
        func `a gate that is passed over is found`(gate: GateName, words: [String]) {
            #expect(weeks(until: words, with: .passesOver(gate)) != nil, "\(gate.rawValue)")
        }

        @Test(arguments: promises)
        func `a promise that is forgotten is found`(bug: Mutation, words: [String]) {
            #expect(weeks(until: words, with: bug) != nil, "\(bug)")
        }

        @Test(arguments: events)
        func `an event that is lost, or of the wrong outcome, is found`(bug: Mutation, words: [String]) {
            let found = Mutation.$current.withValue(bug) {
                (0..<Self.weeks).first { Self.finds(words, in: RoughWeek.worldOfEvents(seed: $0)) }
            }
            #expect(found != nil, "\(bug)")
        }

        private static let ofPushes: [(bug: Mutation, words: [String])] = [
            (.passesOver(.rateLimit), ["times in its quota's span"]),
            (.passesOver(.idleApp), ["push is launched"]),
            (.keepsOldPush, ["brings another payload"]),
            (.keepsUrgency, ["and has lost urgency"]),
        ]

        @Test(arguments: ofPushes)
        func `a promise to who pushes that is forgotten is found`(bug: Mutation, words: [String]) {
            let found = Mutation.$current.withValue(bug) {
                (0..<Self.weeks).first { Self.finds(words, in: RoughWeek.pushed(seed: $0)) }
            }
            #expect(found != nil, "\(bug)")
        }

        @Test func `there are words for each slip of a session`() {
            #expect(Set(Self.slips.map(\.slip)) == Set(SessionMutation.allCases))
        }

        @Test(arguments: slips)
        func `a slip in what the host makes of frames is found`(slip: SessionMutation, words: [String]) {
            let found = SessionMutation.$current.withValue(slip) {
                (0..<Self.weeks).first { Self.finds(words, in: RoughWeek.world(seed: $0)) }
            }
            #expect(found != nil, "\(slip)")
        }

        @Test func `a disk that lies is found`() {
            let found = (0..<Self.weeks).first { seed in
                var world = RoughWeek.world(seed: seed)
                world.diskLies = true
                return Self.finds(["the log"], in: world)
            }
            #expect(found != nil)
        }

        /// The first seed in whose week a fault with one of the words is found.
        private func weeks(until words: [String], with bug: Mutation) -> UInt64? {
            Mutation.$current.withValue(bug) {
                (0..<Self.weeks).first { Self.finds(words, in: RoughWeek.world(seed: $0)) }
            }
        }

        /// Runs hour by hour, for a mutation may set off work without end.
        private static func finds(_ words: [String], in world: World) -> Bool {
            var simulation = Simulation(world)
            for hour in 1...24 * RoughWeek.days where simulation.trace.handled < 20_000 {
                simulation.run(until: world.start + .hours(hour))
                if simulation.trace.faults.contains(where: { fault in words.contains { fault.contains($0) } })
                {
                    return true
                }
            }
            return false
        }
    }
#endif
