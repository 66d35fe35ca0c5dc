/** What `plimsoll inspect` and the replay of one session say. Numbers, sizes and times arrive formatted; names arrive clean. */
export const inspect = {
  /** Where a session has no request that could be sent again. */
  nothingToReplay: 'There is nothing to replay: no model was asked anything in this session.',
  cannotReplay: (reason: string) => `This session cannot be replayed (${reason}).`,
  /** One line for each option and argument; `command` and `server` have those that others share. */
  help: {
    target: 'a log or conversation file, or a session by its id or `last` (default: whatever was written last on this machine)',
    last: 'whatever was written last on this machine, session or log',
    html: 'write one page that needs no server, with the inspector in it and keys and passwords taken out',
    force: 'replace the file of --html',
    open: 'open the page in the browser (without --html: in a temporary folder)',
    noRedact: 'take nothing out of the page',
    under: 'show it as if a policy set of `plimsoll replay` had been in force, such as economy or spec; figures are simulated',
    policies: 'what the page compares in what-if, with commas between them: policy sets of `plimsoll replay`, or none',
    json: 'print the inspection as JSON and nothing else',
  },
  screen: {
    /** Where a policy set is assumed to have been in force. */
    simulated: (policies: string, price: string) =>
      `Simulated: what would have been sent under ${policies}, with the money at price row ${price}. The agent is assumed to act as recorded.`,
    untitled: 'Untitled session',
    used: (tokens: string, window: string, share: string) => `${tokens} of ${window} tokens, ${share} of the window`,
    measured: 'counted by the provider',
    estimated: 'estimated',
    reserve: (tokens: string) => `${tokens} kept free for the answer`,
    over: (tokens: string) => `${tokens} tokens over the load line`,
    free: 'free',
    kept: 'kept for the answer',
    otherTools: (count: number) => `${count} other tools`,
    requests: (count: number, formatted: string) => (count === 1 ? '1 request' : `${formatted} requests`),
    peak: (tokens: string) => `at most ${tokens} tokens`,
    compactions: (count: number) => (count === 1 ? '1 compaction' : `${count} compactions`),
    breaks: (count: number) => (count === 1 ? '1 break of the cache' : `${count} breaks of the cache`),
    marks: 'c compacted · x the cache broke',
    oneBar: (requests: string) => `one bar for ${requests} requests`,
    breakTitle: (count: number): string => (count === 1 ? 'The break of the cache' : 'The dearest breaks of the cache'),
    breakLine: (request: string, reason: string, message: string, tokens: string) =>
      `request ${request}: ${reason}, ${message}; ${tokens} tokens paid for again`,
    breakReason: {
      edit: 'an edit',
      fold: 'older messages were folded',
      model: 'another model',
      layers: 'other instructions or tools',
      rewind: 'a rewind',
      idle: 'a long pause',
      unknown: 'nobody knows why',
    },
    byRule: (rule: string) => `edited by ${rule}`,
    atMessage: (number: string) => `at message ${number}`,
    beforeMessages: 'before the first message',
    biggest: 'The biggest messages',
    shownAs: (tokens: string) => `shown as ${tokens}`,
    edits: (count: number) => (count === 1 ? '1 edit' : `${count} edits, by rule`),
    ruleEdits: (count: number, formatted: string, tokens: string) =>
      `${count === 1 ? '1 edit' : `${formatted} edits`}, ${tokens} tokens less`,
    withdrawn: (count: string) => `${count} taken back`,
    money: 'Money',
    moneyParts: (read: string, write: string, fresh: string, output: string) =>
      `cache read ${read} · cache written ${write} · fresh ${fresh} · answers ${output}`,
    unpriced: (count: string) => `${count} requests without a known price`,
    noMoney: 'nothing was reported that has a price',
    troubles: (count: number) => (count === 1 ? '1 part could not be read' : `${count} parts could not be read`),
    moreTroubles: (count: string) => `and ${count} more`,
    next: 'plimsoll inspect --html FILE writes a page to look into it; plimsoll serve opens the inspector.',
  },
  // While it works, and what came of it.
  reading: (name: string) => `Reading ${name} …`,
  simulating: (policies: string) => `Working out what ${policies} would have sent …`,
  replaying: (done: string, all: string) => `Replaying under other policies: ${done} of ${all}`,
  writing: (done: string, all: string) => `Putting the page together: ${done} of ${all}`,
  wrote: (file: string, size: string) => `Wrote ${file} (${size}).`,
  wroteUnredacted: 'Nothing was taken out of it: do not pass it on.',
  example: 'No session and no log was found on this machine: this is the bundled example.',
  noReplayOfLarge: (size: string) =>
    `The page has no what-if: replaying ${size} takes long. Name policies with --policies to have it.`,
  noReplayBecause: (reason: string) => `The page has no what-if. ${reason}`,
  // What cannot be.
  nothingThere: (word: string) =>
    `${word} is neither a file nor a session. Check the path; \`plimsoll sessions\` lists the sessions there are.`,
  notBuilt: 'The inspector of the page is not built here. Run `npm run build` first.',
  onlyWithHtml: (option: string) => `${option} is about a page: give --html FILE or --open too.`,
  cannotOpen: 'No browser could be started: open the file yourself.',
  tooManyTargets: 'Give a file or a session, or --last, not both.',
}
