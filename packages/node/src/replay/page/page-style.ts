/** How the page looks, by day and by night. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5d6675; --paper: #fcfcfa; --rule: #d9dce1; --own: #0b6e4f; --other: #b3541e; --bound: #8a93a1; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa4b2; --paper: #14181f; --rule: #333b47; --own: #4cc79b; --other: #e58e55; --bound: #77808d; --bad: #f2746b } }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .25rem }
.note { color: var(--dim); font-size: .85rem; margin: .25rem 0 }
figure { margin: .5rem 0 }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif }
svg text { fill: var(--dim) }
svg text.strong { fill: var(--ink); font-weight: 600 }
.grid { stroke: var(--rule) }
.zero { stroke: var(--dim) }
.mark { fill: var(--other) }
.mark.own { fill: var(--own) }
.mark.bound { fill: var(--bound) }
.mark.invalid { fill: var(--bad) }
.session { fill: var(--dim); fill-opacity: .4 }
.part-read { fill: #3b78c2 } .part-write { fill: #e0902f } .part-fresh { fill: #9a6fc4 } .part-output { fill: #7f8a98 }
.part-summaries { fill: #c65b8e } .part-keepAlive { fill: #2f9e8f } .part-recalls { fill: #c9413a }
.row-0 { fill: #1f5f99 } .row-1 { fill: #3f8ac9 } .row-2 { fill: #84b8e3 } .row-3 { fill: #e0902f } .row-4 { fill: #2f9e8f }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; white-space: nowrap }
th, td { padding: .15rem .5rem; text-align: right; font-weight: normal }
thead { color: var(--dim); border-bottom: 1px solid var(--rule) }
thead th[scope="colgroup"] { text-align: center }
th[scope="row"], thead tr:last-child th:first-child { text-align: left }
tr.bound { color: var(--dim); font-style: italic }
tr.invalid { color: var(--bad) }
li { overflow-wrap: anywhere }
`
