import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The settings that pushes need", .timeLimit(.minutes(30)))
struct PushSetupTests {
    private func outcome(
        _ kinds: [NotificationKind], isSilent: Bool = false, background: Bool = true,
        allowed: Set<NotificationKind> = Set(NotificationKind.allCases),
        _ change: (inout PushSetup) -> Void = { _ in }
    ) -> PushTreatment {
        var setup = PushSetup()
        change(&setup)
        return setup.treatment(
            asking: kinds, isSilent: isSilent, in: .development,
            on: PushDevice(isInBackground: background, allowed: allowed))
    }

    @Test("a silent push wakes the app in the background only with the background mode")
    func backgroundMode() {
        let without = outcome([], isSilent: true)
        #expect(without.outcome == .withheld)
        #expect(without.reason?.contains("remote-notification") == true)
        #expect(outcome([], isSilent: true) { $0.hasBackgroundMode = true }.outcome == .delivered)
        #expect(outcome([], isSilent: true, background: false).outcome == .delivered)
        let silent = outcome([], isSilent: true, allowed: []) { $0.hasBackgroundMode = true }
        #expect(silent.outcome == .delivered, "silent pushes need no permission")
    }

    @Test("a visible push in the background is shown if the person allows it")
    func permission() {
        #expect(
            outcome([.alert, .badge, .sound], allowed: [.badge])
                == PushTreatment(outcome: .shown, shown: [.badge]))
        let forbidden = outcome([.alert], allowed: [.badge, .sound])
        #expect(forbidden.outcome == .withheld)
        #expect(forbidden.reason?.hasSuffix("alert") == true)
        #expect(outcome([.alert], background: false, allowed: []).outcome == .delivered)
    }

    @Test("nothing arrives from a container in another environment, or without the capability")
    func obstacles() {
        for background in [true, false] {
            let other = outcome([.alert], background: background) { $0.environment = .production }
            #expect(other.outcome == .withheld)
            #expect(other.reason?.contains("push environment is production") == true)
            let none = outcome([.alert], background: background) { $0.hasCapability = false }
            #expect(none.reason == "the app has no push capability")
        }
        #expect(outcome([.alert]) { $0.environment = .development }.outcome == .shown)
    }

    @Test("the project's file has the settings, and `push check` names the missing ones")
    func file() async throws {
        let end = try await Program.shell(
            """
            printf 'push = off\\nbackground-modes = remote-notification\\n' > clown-central.conf
            $app --ephemeral --mode csv -c 'as alice' -c 'push check' -c 'config list' -c 'push listen'
            """)
        #expect(end.code != 0)
        for text in [
            "capability,off,", "set `push = on` in clown-central.conf", "environment,development,",
            "background-mode,remote-notification,", "push-environment,as the container,default\n",
        ] {
            #expect(end.output.contains(text), "\(text) is not in \(end.output)")
        }
        #expect(end.errors.contains("cannot register for pushes: the app has no push capability"))
        let bad = try await Program.shell(
            "echo 'push-environment = staging' > clown-central.conf; $app --ephemeral -c 'push check'")
        #expect(bad.code == 2)
        #expect(bad.errors.contains("use one of development, production"))
    }

    @Test("an automatic sync names the missing setting that pushes need, the background mode only once")
    func automaticSync() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on phone")
            let background =
                "in the background, pushes wake the app only after: push setup --background-mode on; to "
                + "keep it, set `background-modes = remote-notification` in clown-central.conf"
            let zone: [String: Any] = ["sid": "s", "zid": "Notes"]
            let payload: [AnyHashable: Any] = ["ck": ["nid": "n", "p": 1, "fet": zone] as [String: Any]]
            let silent = try #require(CKNotification(fromRemoteNotificationDictionary: payload))
            for (change, said, isHanded) in [
                ("app foreground", background, true), ("app background", nil, false),
                ("push setup --background-mode on", nil, true),
                (
                    "push setup --environment production",
                    "set `push-environment = development` in clown-central.conf", false
                ),
                (
                    "push setup --capability off",
                    "no push arrives: the app has no push capability; set `push = on` in clown-central.conf",
                    false
                ),
            ] as [(String, String?, Bool)] {
                let outcomes = await world.type(change, "sync start", "sync stop")
                #expect(outcomes.compactMap(\.shellError).isEmpty)
                let messages = outcomes[1].rendering.messages
                #expect(messages.contains("phone syncs automatically"))
                #expect(
                    said.map { messages.contains($0) } ?? !messages.contains("set `"),
                    "\(change): \(messages)")
                #expect(world.cloud.appGets(silent, in: .development, on: "phone") == isHanded, "\(change)")
            }
        }
    }

    @Test("`push next` shows whether the app gets a push")
    func arrived() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "zone fill Jokes 1", "subscribe zone Jokes --silent", "push listen")
            await world.type("app background", "on mac", "zone fill Jokes 1", "on phone")
            let outcomes = await world.type("push next", "expect outcome = withheld")
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            await world.type("push setup --background-mode on", "on mac", "zone fill Jokes 1", "on phone")
            let woken = await world.type("push next", "expect outcome = delivered", "push stop")
            #expect(woken.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a setting of pushes needs a valid value", arguments: ["push setup", "push allow loud"])
    func usage(_ line: String) async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(line)
            #expect(outcomes.map(\.shellError?.code) == ["usage"])
        }
    }
}
