/// The style sheet and the icon of the pages.
enum PageStyle {
    /// The style of all pages. In light and in dark, texts have a contrast of at least 4.5 to 1, and the ring
    /// around the focused element one of at least 3 to 1. Targets have at least 24 pixels in each direction.
    static let style = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
          --ground: #fff; --text: #1f1f1f; --soft: #f1f3f4; --line: #767676; --link: #0b57d0;
          --button: #0b57d0; --on-button: #fff; --bad: #b3261e; --good: #146c2e; --quiet: #5f6368;
          --focus: #9a5b00; }
        @media (prefers-color-scheme: dark) { :root {
          --ground: #131314; --text: #e3e3e3; --soft: #1f2023; --line: #8e918f; --link: #a8c7fa;
          --button: #a8c7fa; --on-button: #062e6f; --bad: #f2b8b5; --good: #8fd6a0; --quiet: #c4c7c5;
          --focus: #f9ab00; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--text); }
        a { color: var(--link); }
        main a { padding-block: .25rem; }
        td a, th a, li > a, .brand a, .pages a { display: inline-block; min-width: 1.5rem; min-height: 1.5rem;
          max-width: 100%; padding-block: 0; }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { left: .5rem; top: .5rem; background: var(--ground); padding: .5rem; z-index: 1; }
        header, .place { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center;
          padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
        header { background: var(--soft); }
        .brand, .container { margin: 0; font-weight: 700; overflow-wrap: anywhere; }
        nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem .25rem; margin: 0; padding: 0;
          }
        nav a { display: inline-block; padding: .25rem .5rem; border-radius: .375rem; min-height: 1.75rem; }
        nav a[aria-current] { background: var(--button); color: var(--on-button); text-decoration: none; }
        .who { margin-left: auto; display: flex; gap: .75rem; align-items: center; }
        .role { color: var(--quiet); }
        main { padding: 1rem; max-width: 75rem; }
        main.narrow { max-width: 24rem; margin: 10vh auto 0; }
        h1 { font-size: 1.5rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
        .wide { overflow-x: auto; max-width: 100%; }
        table { border-collapse: collapse; }
        th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0;
          border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        td.time, td.type { white-space: nowrap; } td.words { min-width: 18rem; }
        td.word { min-width: 6rem; }
        td.number, th.number { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
        th { white-space: nowrap; }
        ::placeholder { color: var(--quiet); opacity: 1; }
        form { margin: 0; }
        .form { max-width: 40rem; }
        label, legend { display: block; margin-top: .75rem; font-weight: 600; }
        fieldset { border: 1px solid var(--line); border-radius: .375rem; margin: .75rem 0; padding: .5rem; }
        .row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; }
        fieldset .row + .row { margin-top: .5rem; }
        .row label { margin-top: 0; }
        .choice { display: inline-flex; gap: .375rem; align-items: center; margin: .125rem .75rem .125rem 0;
          font-weight: 400; }
        input:not([type=checkbox]), select { min-height: 2.375rem; }
        input:not([type=checkbox]), select, textarea { font: inherit; padding: .375rem .5rem; max-width: 100%;
          border: 1px solid var(--line); border-radius: .375rem; background: var(--ground);
          color: var(--text); }
        .form input:not([type=checkbox]), .form textarea, .narrow input { width: 100%; }
        textarea.code, pre, code { font-family: ui-monospace, monospace; font-size: .875rem; }
        pre { overflow-x: auto; background: var(--soft); padding: .75rem; border-radius: .375rem; }
        input[type=checkbox] { flex: none; width: 1.5rem; height: 1.5rem; }
        button { font: inherit; font-weight: 600; padding: .375rem .875rem; border: 1px solid var(--button);
          border-radius: .375rem; background: var(--button); color: var(--on-button); cursor: pointer;
          margin-top: .5rem; min-height: 2rem; }
        .row button, td button, .who button { margin-top: 0; }
        td button { white-space: nowrap; }
        button.other { background: none; color: inherit; border-color: var(--line); }
        button.danger { background: none; color: var(--bad); border-color: var(--bad); }
        .notice { border-left: .25rem solid var(--good); padding-left: .75rem; }
        .problem { border-left: .25rem solid var(--bad); padding-left: .75rem; font-weight: 600; }
        .hint, .quiet { color: var(--quiet); margin: .125rem 0; font-size: .9375rem; font-weight: 400; }
        .preview { display: block; max-width: 100%; max-height: 16rem; margin: .5rem 0; }
        .map { width: min(24rem, 100%); height: auto; background: var(--soft); border-radius: .375rem; }
        .map circle.reach { fill: none; stroke: var(--line); stroke-dasharray: 4 3; }
        .map circle.middle { fill: var(--bad); } .map circle.hit { fill: var(--button); }
        .map text { fill: var(--quiet); font-size: 10px; }
        .secret { overflow-wrap: anywhere; background: var(--soft); padding: .5rem; }
        .charts { display: flex; flex-wrap: wrap; gap: 1rem; }
        figure { margin: .75rem 0; flex: 1 1 26rem; min-width: 0; max-width: 40rem; }
        figcaption { font-weight: 600; }
        svg { width: 100%; height: auto; font-size: .75rem; }
        svg text { fill: var(--quiet); }
        svg line { stroke: var(--line); stroke-opacity: .5; }
        svg rect { fill: var(--button); }
        .pages { display: flex; gap: 1rem; margin: .75rem 0; }
        @media (max-width: 30rem) { header, .place { padding: .5rem; } main { padding: .75rem .5rem; }
          .who { margin-left: 0; } }
        """

    /// The icon of all pages. Without it, browsers would request `/favicon.ico`, which does not exist.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b57d0" d="M9 26a7 7 0 0 \
        1-.6-14A9 9 0 0 1 25.600 14.100 6 6 0 0 1 25 26z"/></svg>
        """
}
