import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sizeOf } from '../scripts/size.ts'
import { readSources, root } from './source-files.ts'

/** A feature may raise a limit in its own commit, with a reason; otherwise these numbers only go down. */
const limits = [
  // 22,390: names and patches of a conversation continue where the last request stopped; prices by day; very many edits of one message.
  // 197 and 23,400: what a cut keeps of records, odd lines and diagnostics.
  // 204 and 23,950: forms that lose nothing, a file for each.
  // 24,150: folding progress and repeated lines, records by key or value in recall.
  // 24,300: results of hosts with messages of their own.
  // 24,650: edits continue where the last request stopped.
  // 206 and 25,050: names of files beside a cut, and figures about files by folder.
  // 207 and 25,300: what signed thoughts forbid. 210 and 25,700: objects of records, broken JSON and segments of long lines, and forms of small outputs.
  // 213 and 26,000: hiding a result. 214 and 26,300: several lists side by side, small cuts. 26,600: what keeping a prompt alive brought.
  // 26,850: a request is planned and written from where it differs from the one before.
  // 27,150: lists of edits are compared with those of the request before instead of read.
  // 216 and 27,450: records in brief, names of files and codes in lists of findings, tables in blocks.
  // 217 and 27,700: times that servers report.
  // 28,100: lists in XML and YAML, and numbers far from the others in lines.
  // 28,450: levels of results are decided again only where something has changed.
  // 28,500: how long the next session should be cached.
  // 28,650: headings of kept lines, and in little room records before what their fields hold.
  { folder: 'packages/core', files: 217, lines: 28_650 },
  // 727: what a quick start must not load is in files of its own; the overview's index and threads; the gateway's second thread,
  // and what it remembers of decisions; prices of a public list; the replay's short answer, and answers in lines with progress.
  // 733: spending and budgets; prices of content, lost caches and savings in the overview.
  // 99,200: the same; the user's own prices, costs that logs record, and usage that cannot be.
  // 738 and 99,900: reading usage, and comparing it with ccusage for more agents.
  // 748 and 100,700: what a status line remembers and measures in the background.
  // 101,300: reasoning and web searches; caches written for an hour.
  // 761 and 102,700: what a cut keeps.
  // 768 and 103,250: forms that lose nothing.
  // 774 and 103,700: both sides of a comparison, the replay's verdict, typed prices, and spending in the web app.
  // 781 and 104,350: rules of secrets, and looking through escapes.
  // 786 and 105,600: checksums of logs.
  // 105,950: edits continue where the last request stopped.
  // 794 and 106,800: the hook inside other agents.
  // 795 and 107,200: checksums of rows, and faults of disks.
  // 798 and 107,700: figures of each log, what would have saved most, and prices by region, mode and length of the prompt.
  // 800 and 108,000: names of files beside a cut, and figures about files by folder.
  // 806 and 108,400: adapters for four frameworks.
  // 809 and 109,200: signed thoughts, arguments and thoughts in the gateway, needs that could be guessed.
  // 813 and 109,500: extensions of pi, opencode and Cline.
  // 110,500: findings with their place, wiring of more agents, and pauses between plans.
  // 825 and 112,500: hiding a result, compaction for upstreams without it, operations and publishing.
  // 835 and 114,500: the web app's notes, shared stream, search and keys.
  // 842 and 115,800: rules of secrets whose name stands near them; several lists side by side.
  // 847 and 117,000: compaction in the gateway, and hiding a result there.
  // 117,300: a request is planned and written from where it differs from the one before.
  // 117,600: lists of edits are compared with those of the request before instead of read.
  // 848 and 117,900: secrets of no known form, long texts in windows, and programs that a repository brings.
  // 850 and 118,300: the same.
  // 854 and 118,900: prompts that the gateway keeps cached.
  // 855 and 119,200: settings of agents with comments, on any system, and what is wrong with proxies and stores.
  // 119,400: durations of calls in the log, marks of searches.
  // 858 and 119,950: lists in XML and YAML.
  // 120,300: levels of results are decided again only where something has changed.
  // 861 and 120,500: the agent's choice between five minutes and an hour.
  // 120,650: headings of kept lines.
  { folder: 'packages', files: 861, lines: 120_650 },
]

describe('the size of the code', () => {
  it.each(limits)('$folder has at most $files files and $lines lines', ({ folder, files, lines }) => {
    const size = sizeOf(root, folder)
    expect(size.files).toBeGreaterThan(100)
    expect(size.files).toBeLessThanOrEqual(files)
    expect(size.lines).toBeLessThanOrEqual(lines)
  })

  it('no folder has more than 25 files: split it by subject', () => {
    expect(sizeOf(root).folders.filter(({ files }) => files > 25)).toEqual([])
  })
})

describe('the documentation', () => {
  it('has a README in every folder with more than eight files; languages share that of the strings', () => {
    const large = sizeOf(root).folders.filter(({ files }) => files > 8)
    expect(large.length).toBeGreaterThan(20)
    const pageOf = (folder: string) => `${root}/${folder.replace(/(?<=\/strings)\/(?:english|chinese)$/, '')}/README.md`
    expect(large.map(({ folder }) => folder).filter((folder) => !existsSync(pageOf(folder)))).toEqual([])
  })

  it('has READMEs of at most fifteen lines in folders', () => {
    const pages = readSources('packages', (path) => /^packages\/\w+\/src\/.*README\.md$/.test(path))
    expect(pages.filter(({ text }) => text.split('\n').length > 16).map(({ path }) => path)).toEqual([])
  })

  it('has an architecture page of at most 1,500 words', () => {
    expect(readFileSync(`${root}/docs/architecture.md`, 'utf8').split(/\s+/).length).toBeLessThanOrEqual(1500)
  })
})
