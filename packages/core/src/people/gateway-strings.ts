/** What the gateway's commands say. */
export interface GatewayStrings {
  /** Descriptions of commands and options. */
  readonly help: GatewayHelp
  readonly badMode: (given: string, known: string) => string
  readonly badLevel: (given: string, known: string) => string
  readonly badUpstream: (given: string) => string
  readonly unknownDialect: (given: string, known: string) => string
  readonly needsPublic: (host: string) => string
  readonly needsToken: (host: string) => string
  readonly storeTrouble: (reason: string) => string
  /** A gateway that is there. */
  readonly ready: (address: string) => string
  readonly mode: (mode: string) => string
  readonly nothingChanges: string
  readonly upstream: (company: string, url: string) => string
  readonly store: (place: string) => string
  readonly postgres: (server: string) => string
  readonly textKept: string
  readonly howToWire: (command: string) => string
  readonly howToRun: (command: string) => string
  readonly howToStop: string
  readonly isPublic: string
  readonly closing: string
  /** What it came to. */
  readonly summary: (requests: string, tokens: string) => string
  /** Between two of the statements of a summary. */
  readonly summaryBetween: string
  readonly bytesUnchanged: string
  readonly changed: (requests: string, tokens: string) => string
  readonly money: (paid: string, untrimmed: string) => string
  readonly saved: (amount: string) => string
  readonly lost: (amount: string) => string
  readonly even: string
  readonly unpriced: (requests: string) => string
  readonly savings: SavingsStrings
  readonly run: RunStrings
  readonly env: EnvStrings
  readonly doctor: DoctorStrings
}

interface GatewayHelp {
  readonly gateway: string
  readonly savings: string
  readonly run: string
  readonly env: string
  readonly doctor: string
  readonly mcp: string
  readonly port: string
  readonly host: string
  readonly public: string
  readonly token: string
  readonly upstream: string
  readonly trim: string
  readonly store: string
  readonly keepText: string
  readonly log: string
  readonly json: string
  readonly savingsJson: string
  readonly envJson: string
  readonly command: string
  readonly noInspector: string
  readonly open: string
  readonly agent: (known: string) => string
  readonly envPort: string
  readonly unset: string
  readonly shell: (known: string) => string
  readonly url: string
  readonly live: string
  readonly model: string
  readonly doctorJson: string
  readonly mcpStore: string
}

interface SavingsStrings {
  readonly nothing: string
  readonly counted: (conversations: string, requests: string) => string
  readonly paid: (amount: string) => string
  readonly untrimmed: (amount: string) => string
  readonly net: (amount: string, share: string) => string
  readonly unpriced: (requests: string) => string
  readonly sentTokens: (sent: string, cached: string) => string
  readonly untrimmedTokens: (untrimmed: string) => string
  readonly removedTokens: (removed: string, share: string) => string
  readonly addedTokens: (added: string, share: string) => string
  readonly estimatedTokens: (requests: string) => string
  readonly setPrice: string
  readonly noHoldOut: string
  readonly notEnough: (trimmed: string, untouched: string, needed: string) => string
  readonly holdOut: (change: string, low: string, high: string) => string
  readonly uncertain: string
}

interface RunStrings {
  readonly notFound: (command: string) => string
  readonly cannotRun: (command: string, reason: string) => string
  readonly ready: (address: string, mode: string) => string
  readonly ownUpstream: (variable: string, url: string) => string
  readonly inspector: (address: string) => string
  readonly noInspector: (reason: string) => string
  readonly geminiLogin: string
}

interface EnvStrings {
  readonly unknownAgent: (given: string, known: string) => string
  readonly unknownShell: (given: string, known: string) => string
  /** Nobody can be pointed at whichever port is free. */
  readonly anyPort: string
  readonly geminiLogin: string
}

interface DoctorStrings {
  readonly ok: string
  readonly problem: string
  readonly note: string
  readonly allWell: string
  readonly problems: (count: string) => string
  readonly node: (version: string) => string
  readonly oldNode: (version: string, needed: string) => string
  readonly newerNode: string
  readonly config: string
  readonly badConfig: string
  readonly fixConfig: string
  readonly folder: (path: string) => string
  readonly noFolder: (path: string) => string
  readonly openFolder: (path: string, mode: string) => string
  readonly closeFolder: (path: string) => string
  readonly storeOpens: (place: string) => string
  readonly fixStore: string
  readonly portFree: (port: string) => string
  readonly portTaken: (port: string) => string
  readonly otherPort: string
  readonly gatewayAlive: (address: string) => string
  readonly gatewayNotReady: (address: string) => string
  readonly checkStore: string
  readonly gatewayGone: (address: string) => string
  readonly startGateway: string
  readonly unchanged: (dialect: string, mode: string, bytes: string) => string
  readonly trimmed: (dialect: string, mode: string, before: string, after: string) => string
  readonly changedElsewhere: (dialect: string, mode: string) => string
  readonly notArrived: (dialect: string, mode: string, reason: string) => string
  readonly reportDefect: string
  readonly live: (dialect: string, model: string, input: string, output: string) => string
  readonly liveFailed: (dialect: string, status: string) => string
  readonly checkKey: string
  readonly noKey: string
  readonly window: (model: string, tokens: string) => string
  readonly unknownWindow: (model: string) => string
  readonly setWindow: string
  readonly claudeWindow: string
  readonly claudeAdvice: string
}
