/** Why targets are missed, by the names of their rows; those of the growth table end with their shape. A missed row without an entry is a question. */
const reasons = [
  [
    /AI SDK pruneMessages$/,
    'It drops messages by their place in the list and reads nothing. `buildView` reads every result, decides about each, keeps every original recoverable and reports every change.',
  ],
  [
    /^(?:buildView|createConversation, next and accepted)$/,
    'What is left is reading each result once: its kind, its lines, its files and its hash. The next request reuses all of it.',
  ],
  [
    /^economy policies, economic timing|^1000k tokens, 5000 messages: call and result added/,
    'What a request has in common with the one before is taken over, and only those results are judged again whose level may have changed. Of what is left, a fifth collects the lists that each policy makes, a quarter compares them with those of the last request and applies their edits, a tenth groups and measures edits, and the rest reads what is new.',
  ],
  [
    /^a plain copy, /,
    'A copy is linear by nature. What is over the limit is the machine: 50 MB fit into no cache, new memory has to be cleared, and the noise of this run. The other rows have all of it as well.',
  ],
  [
    /, a (?:line|result) of 50 MB$/,
    'Each character costs the same, but a text is read several times: one of 3 MB stays in the processor’s cache in between, one of 50 MB does not.',
  ],
  [
    /, duplicate call ids$/,
    'Alone in a process, the time follows the messages: from 120 to 7,680 of them, four times as many take four to five times as long. What is over the limit is the noise of the machine in this run.',
  ],
  [
    /continuing: economy, more than observe/,
    'From the last byte of a request to the first one that goes on, two fifths of the time is the plan: it reads the new result and judges the earlier ones again. In a request with a new decision, a sixth asks the store what others decided and writes it, with what it hides, before any byte goes out. A tenth is the way to the thread that plans and back, a tenth reads and names what is new, a tenth finds the changed places and splices, and the rest looks up what holds. `observe` has none of it. Planning the same request once more beforehand, or waking the thread while the body arrives, brought nothing. That the body is sent on only once all of it is there costs next to nothing: without plans, both modes take the same time.',
  ],
  [
    /p99 of economy in its own medians/,
    'The slowest hundredth are plans during which the collector looked at everything that is remembered, and plans that waited for a processor: client, upstream and all gateways of the run share two cores.',
  ],
  [
    /conversations in turns: added to the first byte by economy|of the p99 without it, economy/,
    'All processes of the run share two cores, so that work for one request takes processor time from the others, though none of them waits for its plan.',
  ],
  [
    /^the same, (?:observe|safe|economy), of the bare pass-through/,
    'Small requests pass without a plan once 16 of them wait for one, or above 128 a second on a busy core. A request takes the thread that relays about twice as long as that of the bare pass-through; measuring one of 32 adds three quarters of that for each request, compiling and collecting half. Client and upstream share the two cores with all of them.',
  ],
  [
    /p99 of (?:observe|safe)/,
    'A 99th percentile on two cores shared with client and upstream: it moves with whatever else runs, as that of the bare pass-through next to it does.',
  ],
  [
    /^inspector, first comparison|^the same, processor time of its threads/,
    'More than half is the engine in `economy`. Each of its eight policies makes a list of all messages, 5,300 on average, of which few differ from the last request: these lists are made, compared and collected. The replay itself counts every text with the tokens of GPT-4o, and checks each view against the one before. A session is one sequence, so a second core does not help. Below that, plans would have to be made from changes instead of lists, which is another interface for policies.',
  ],
  [
    /^what engine, loop and log add to that/,
    'A turn waits for four durable writes, one after the other, because each must be on the disk before the next step. What it computes is the plan, the proof of what was sent and the prompt in the form of the library, each of them from what changed; a body of 800 KB is then written and sent as the library alone does it.',
  ],
  [
    /^plimsoll statusline, with a transcript/,
    'It reads the end of the log and plans a view of it to say what could be trimmed. Loading the engine and the reader of the log takes about half of the time.',
  ],
  [
    /^the hook of the Claude Code plugin/,
    'About a third of it loads the compiled file and modules of Node, two fifths run the rules once, before they are optimised, and the rest opens the store and writes. Most results are short: for those only the first part is needed.',
  ],
  [
    /^a session of \d+ MB \(100,000 messages\) opens/,
    'Every line is read, its checksum compared, and each message parsed and measured once; nothing of it is kept on disk, so a log that was changed by hand is shown as it is. Of the server’s processor time, a fifth parses JSON, a sixth frees memory, a seventh looks through the lines and their checksums, and the rest checks entries, counts tokens and follows what each of the 50,000 requests showed. Opened again unchanged, it is there at once.',
  ],
  [
    /^one of these tabs asks the server for a page/,
    'All fifty tabs draw the end of their turn and read the list of sessions at that moment, on two cores that they share with the server and the browser’s own processes, and the tab that asks is one of them. Where they had come to rest, the same request took 15 to 40 ms.',
  ],
  [
    /^overview of .*no index/,
    'A quarter is the replay for what would have been saved, which comes after everything else is shown. Of the rest, a fifth is the estimate of the tokens that conversations hold.',
  ],
]

/** The lines below a printed table: each missed target, and why. */
export function missedLines(table) {
  return missedRows(table).map(({ name, value, bound }) => `missed: ${name}: ${value}, wanted ${bound}. ${reasonOf(name)}`)
}

/** The part of the page about targets that were missed, from its other parts. */
export function missedSection(sections) {
  const lines = sections.flatMap((section) => {
    const title = /^## (.*)/.exec(section)?.[1] ?? ''
    const rows = section.split('\n').filter((line) => line.startsWith('|'))
    const table = rows.map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    return missedRows(table).map(
      ({ name, value, bound }) => `- **${name}** (${title}): ${value}, wanted ${bound}. ${reasonOf(name)}`,
    )
  })
  return lines.length === 0 ? [] : [`## Missed targets, and why\n\n${lines.join('\n')}`]
}

/** The missed rows of a table of cells, whose first line has the headings. */
function missedRows([head = [], ...rows]) {
  const [shape, value, bound] = [['shape'], ['value', 'ratio'], ['target', 'limit']].map((names) =>
    head.findIndex((heading) => names.includes(heading)),
  )
  return rows
    .filter((cells) => cells.at(-1) === 'missed')
    .map((cells) => ({
      name: shape === -1 ? cells[0] : `${cells[0]}, ${cells[shape]}`,
      value: cells[value],
      bound: /^\d/.test(cells[bound]) ? `<= ${cells[bound]}` : cells[bound],
    }))
}

function reasonOf(name) {
  return reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'The reason is not known yet.'
}
