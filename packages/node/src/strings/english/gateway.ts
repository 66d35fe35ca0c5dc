/** Sentences of the gateway's commands. */
export const gateway = {
  help: {
    gateway: 'relay the requests of any agent: measure them and, if asked, trim them',
    savings: 'show what requests through the gateway cost and what trimming saved',
    hide: 'hide a tool result from what the gateway sends, after printing what that costs; without a number, list them',
    unhide: 'send a hidden tool result again',
    result: 'the number of a result as plimsoll gateway hide lists it',
    conversation: 'the id or label of a conversation (default: the latest)',
    run: 'run an agent with its own gateway, and clean up when it exits',
    env: 'print the shell commands that connect an agent to the gateway',
    doctor: 'check the setup and prove which bytes reach a provider',
    hook: 'shorten what a tool has just returned, as a hook inside an agent',
    hookPrint: 'print the settings that make the agent call it',
    mcp: 'let agents recall what the gateway trimmed, as a Model Context Protocol server',
    port: 'listen on this port (default: 7478, or the next free one)',
    host: 'listen on this address (default: 127.0.0.1, reachable only from this machine)',
    public: 'allow an address that other machines can reach; needs an access token',
    token: 'require this access token from clients of a public gateway (or set PLIMSOLL_GATEWAY_TOKEN)',
    upstream: 'send requests to this URL, or to one per provider: anthropic=URL, openai=URL, gemini=URL; repeatable',
    unencrypted: 'allow an --upstream on another machine that starts with http://',
    trim: 'set what may be trimmed: observe (nothing), safe (new tool results), spec or economy (old ones too) (default: observe)',
    store: 'store state here: a file or a PostgreSQL URL (default: a file in the state folder)',
    keepCacheAlive:
      'send the last request again while the agent is idle, with its API key, so that Anthropic keeps the prompt cached; only if savings pay for it',
    keepText: 'store the text of all messages for the inspector, not only what is trimmed',
    log: 'set the minimum log level: debug, info, warn or silent',
    json: 'print address, port and mode as one line of JSON, and the totals at the end',
    savingsJson: 'print the totals as one line of JSON',
    envJson: 'print variables and arguments as one line of JSON',
    command: 'the agent to run, with its own options, after --',
    noInspector: 'do not start the inspector',
    open: 'open the inspector in the browser',
    agent: (known: string) => `one of ${known}`,
    envPort: 'connect to the gateway on this port (default: as configured)',
    unset: 'print the commands that undo it',
    shell: (known: string) => `print for this shell: ${known} (default: sh)`,
    url: 'check the running gateway at this address, such as http://127.0.0.1:7478',
    live: 'send one real request of a few tokens, with the API key from the environment',
    model: 'look up the context window of this model; --live sends its request to it',
    doctorJson: 'print the checks as one line of JSON',
    mcpStore: 'read trimmed content from this store (default: as configured)',
  },
  hook: {
    badAgent: (given: string, known: string) => `expected one of ${known}, got ${given}`,
    putInto: (file: string) => `Add this to ${file}. Remove it to undo.`,
    forGood:
      'From then on, the agent’s own transcript has the shortened results. The originals are in the gateway’s store; add plimsoll mcp to the agent, so that its model can recall them.',
    codex: 'Codex asks you to trust a hook, and shows “Blocked” next to each result that was shortened.',
    sharedStore:
      'gateway.store is a database. The hook keeps originals there under the API key in its environment; without a key, and in the plugin of Claude Code, it changes nothing.',
    report: {
      empty: 'No session of this folder found.',
      fills: 'In the context of this session, in tokens (estimated; system prompt and tool definitions not included):',
      results: (tool: string) => `results of ${tool}`,
      nothing: 'Plimsoll has shortened nothing in this session.',
      saved: (results: number, before: string, after: string) =>
        `Plimsoll shortened ${results === 1 ? '1 result' : `${results} results`} of this session: ${before} characters to ${after}. Each can be recalled in full by its handle.`,
    },
  },
  badMode: (given: string, known: string) => `--trim: expected one of ${known}, got ${given}`,
  badLevel: (given: string, known: string) => `--log: expected one of ${known}, got ${given}`,
  badUpstream: (given: string) =>
    `--upstream: expected a URL that starts with https:// or http://, without user name, password or query, got ${given}`,
  unencryptedUpstream: (given: string) =>
    `--upstream ${given}: others could read keys and conversations on the way to this machine. Use https://, or add --unencrypted on a network you trust.`,
  unknownDialect: (given: string, known: string) => `--upstream: expected one of ${known} before the =, got ${given}`,
  needsPublic: (host: string) =>
    `--host ${host}: other machines could reach and use this address. To allow that, add --public and --token; otherwise omit --host.`,
  needsToken: (host: string) => `--host ${host}: --public needs an access token. Set PLIMSOLL_GATEWAY_TOKEN or add --token.`,
  storeProblem: (store: string, reason: string) => `Cannot use the gateway’s store (${store}): ${reason}`,
  ready: (address: string) => `Gateway listening on ${address}`,
  mode: (mode: string) => `mode: ${mode}`,
  nothingChanges: 'bytes changed: 0',
  upstream: (company: string, url: string) => `requests to ${company} go to ${url}`,
  store: (place: string) => `state stored in ${place}`,
  postgres: (server: string) => `PostgreSQL at ${server}`,
  unusableProxy: (variables: string) =>
    `${variables}: not the address of an http or https proxy, so the gateway connects without a proxy.`,
  readLimits: (tools: string) =>
    `Your limits for ${tools} (tool_output_limits.tools) cut what an agent reads of files, in the modes spec and economy.`,
  textKept: 'The text of all messages is stored.',
  keepsCache:
    'While an agent with an API key of Anthropic is idle, its last request may be sent again with that key, to keep the prompt cached.',
  keepsNothing: 'Nothing is kept cached: in the mode observe there are no savings that would pay for it. Add --trim economy.',
  keepsNoForeignCache: (host: string) =>
    `--host ${host}: a gateway that other machines can reach does not keep prompts cached, because that would spend the money of their keys. Omit --keep-cache-alive, and set gateway.keep_cache_alive to false.`,
  howToWire: (command: string) => `Connect an agent: ${command}`,
  howToRun: (command: string) => `Or run an agent with its own gateway: ${command}`,
  howToStop: 'Press Ctrl-C to stop.',
  isPublic: 'Other machines can reach this address, and connections are not encrypted. Use it only on a network you trust.',
  closing: 'Stopping once running responses are complete. Press Ctrl-C again to stop now.',
  summary: (requests: string, tokens: string) => `requests: ${requests}, input tokens: ${tokens}`,
  summaryBetween: '; ',
  bytesUnchanged: 'bytes changed: 0',
  changed: (requests: string, tokens: string) => `trimmed requests: ${requests}, tokens removed: ${tokens}`,
  money: (paid: string, untrimmed: string) => `paid ${paid}, without trimming about ${untrimmed}`,
  saved: (amount: string) => `saved ${amount}`,
  lost: (amount: string) => `cost ${amount} more`,
  even: 'no difference in cost',
  unpriced: (requests: string) => `requests without a known price: ${requests}`,
  hide: {
    noConversation: 'The gateway has no such conversation yet. Send a request through it first.',
    noResult: (came: string) => `There is no tool result ${came}. \`plimsoll gateway hide\` lists them.`,
    row: (number: string, tool: string, tokens: string, isHidden: boolean) =>
      `${number}  ${tool}  ${tokens} tokens${isHidden ? '  hidden' : ''}`,
    hidden: (number: string) =>
      `The result of message ${number} is hidden from the next request on, unless the mode is observe. \`plimsoll gateway unhide\` sends it again.`,
  },
  savings: {
    nothing: 'Nothing has gone through the gateway yet. Try: plimsoll run -- claude',
    counted: (conversations: string, requests: string) => `conversations: ${conversations}, requests: ${requests}`,
    paid: (amount: string) => `paid (usage as reported by the providers): ${amount}`,
    untrimmed: (amount: string) => `without trimming (estimate): ${amount}`,
    net: (amount: string, share: string) => `difference: ${amount} (${share})`,
    keptAlive: (times: string, amount: string) =>
      `  of that, prompts sent again so that they stay cached: ${amount} (${times} times)`,
    unusedTools: (amount: string, conversations: string, names: string) =>
      `  of that, definitions of tools that were never called: ${amount} (in ${conversations} of the conversations; most: ${names})`,
    doubtful: (amount: string, share: string) =>
      `  The estimate and the difference may be off by ${amount} (${share}): the provider has counted too little of the kind of content that was removed, such as base64 or line numbers.`,
    unpriced: (requests: string) => `requests without a known cost, counted in tokens only: ${requests}`,
    sentTokens: (sent: string, cached: string) => `  sent: ${sent} tokens (${cached} read from the cache)`,
    untrimmedTokens: (untrimmed: string) => `  without trimming (estimate): ${untrimmed} tokens`,
    removedTokens: (removed: string, share: string) => `  removed: ${removed} tokens (${share})`,
    addedTokens: (added: string, share: string) => `  added: ${added} tokens (${share})`,
    estimatedTokens: (requests: string) => `  requests without reported usage, all tokens estimated: ${requests}`,
    setPrice: '  Set prices.MODEL in your configuration to see dollars.',
    noHoldOut:
      'No untrimmed conversations to compare with. Set gateway.holdout in your configuration to leave a share of them untrimmed.',
    notEnough: (trimmed: string, untouched: string, needed: string) =>
      `Not enough conversations to compare: ${trimmed} trimmed and ${untouched} untrimmed, at least ${needed} of each are needed.`,
    holdOut: (change: string, low: string, high: string) =>
      `cost per request, compared with untrimmed conversations: ${change} (95 % interval: ${low} to ${high})`,
    uncertain: 'This difference may be chance.',
  },
  run: {
    notFound: (command: string) => `Command not found: ${command}. Check the spelling or pass the full path.`,
    notExecutable: (command: string) => `Cannot run ${command}: it is not an executable file.`,
    cannotRun: (command: string, reason: string) => `Cannot start ${command}: ${reason}`,
    ready: (address: string, mode: string) => `gateway: ${address}, mode: ${mode}`,
    ownUpstream: (variable: string, url: string) => `Your ${variable} still applies: requests are forwarded to ${url}.`,
    inspector: (address: string) => `inspector: ${address}`,
    noInspector: (reason: string) => `Cannot start the inspector: ${reason}`,
    elsewhere: (variables: string) =>
      `With ${variables}, the agent talks to another service and not to the gateway. Unset it to use the gateway.`,
    noRequests: (variables: string, files: string) =>
      variables !== ''
        ? `The agent made no request through the gateway: with ${variables} it talks to another service. Unset it to use the gateway.`
        : files !== ''
          ? `The agent made no request through the gateway: ${files} says where its requests go, and comes before the variables that connect it. Remove the address or login there, and pass the address to plimsoll run with --upstream.`
          : 'The agent made no request through the gateway. It may have a base URL or a model in its own settings; those come before the variables that connect it.',
    noAddress:
      'Cline CLI takes its address from its own settings alone, so plimsoll run and plimsoll env cannot connect it. Start plimsoll gateway, then: cline auth openai-native --apikey KEY --modelid MODEL --baseurl http://127.0.0.1:7478/v1. It does not read NO_PROXY: behind a proxy, start it without HTTPS_PROXY.',
    geminiLogin:
      'Gemini CLI uses the gateway only with a Gemini API key. Choose the key once: run Gemini CLI, type /auth and select it.',
    geminiRecall:
      'Gemini CLI takes tools from its settings alone. So that its model can recall what is trimmed, run once: gemini mcp add --scope user plimsoll plimsoll mcp',
  },
  env: {
    unknownAgent: (given: string, known: string) => `AGENT: expected one of ${known}, got ${given}`,
    anyPort: '--port: expected the port that the gateway printed when it started, got 0',
    unknownShell: (given: string, known: string) => `--shell: expected one of ${known}, got ${given}`,
    geminiLogin: 'Gemini CLI needs GEMINI_API_KEY. Choose the key once with /auth.',
    copilotModel:
      'Copilot CLI uses the gateway with a provider of your own, not with its subscription: set COPILOT_MODEL and COPILOT_PROVIDER_API_KEY, and COPILOT_PROVIDER_TYPE=anthropic for Anthropic.',
  },
  doctor: {
    ok: 'ok',
    problem: 'problem',
    note: 'note',
    allWell: 'No problems found.',
    problems: (count: string) => (count === '1' ? '1 problem found' : `${count} problems found`),
    node: (version: string) => `Node ${version}`,
    oldNode: (version: string, needed: string) => `Node ${version} is too old: ${needed} or newer is needed`,
    newerNode: 'Install a newer version from nodejs.org.',
    config: 'the configuration is valid',
    badConfig: 'the configuration is not valid',
    fixConfig: 'Fix the errors listed above.',
    folder: (path: string) => `only you can access ${path}`,
    noFolder: (path: string) => `${path} does not exist yet; the gateway creates it`,
    openFolder: (path: string, mode: string) => `other users can read ${path} (mode ${mode})`,
    closeFolder: (path: string) => `Run: chmod 700 ${path}`,
    storeOpens: (place: string) => `the store can be opened: ${place}`,
    fixStore: 'Check gateway.store in the configuration and whether the disk is full.',
    portFree: (port: string) => `port ${port} is free`,
    portTaken: (port: string) => `port ${port} is used by a program that is not a gateway`,
    otherPort: 'Choose another port with --port or gateway.port in the configuration.',
    gatewayAlive: (address: string) => `the gateway at ${address} is running, and its store works`,
    gatewayNotReady: (address: string) =>
      `the gateway at ${address} is running, but its store does not work: requests pass through unchanged`,
    checkStore: 'Check the database or gateway.store in the configuration.',
    gatewayGone: (address: string) => `no gateway is running at ${address}`,
    startGateway: 'Start it: plimsoll gateway',
    unchanged: (dialect: string, mode: string, bytes: string) => `${dialect}, ${mode}: all ${bytes} bytes arrived unchanged`,
    trimmed: (dialect: string, mode: string, before: string, after: string) =>
      `${dialect}, ${mode}: one result trimmed, ${before} → ${after} bytes; all other bytes unchanged`,
    changedElsewhere: (dialect: string, mode: string) => `${dialect}, ${mode}: bytes changed that must not change`,
    notArrived: (dialect: string, mode: string, reason: string) => `${dialect}, ${mode}: the request did not arrive (${reason})`,
    reportDefect: 'This is a bug in Plimsoll. Use --trim observe until it is fixed.',
    live: (dialect: string, model: string, input: string, output: string) =>
      `${dialect}: ${model} answered; the provider counted ${input} input and ${output} output tokens`,
    liveFailed: (dialect: string, status: string) => `${dialect}: the request failed (${status})`,
    checkKey: 'Check the API key and the model name (--model).',
    noKey: 'no request sent to a provider: none of ANTHROPIC_API_KEY, OPENAI_API_KEY and GEMINI_API_KEY is set',
    window: (model: string, tokens: string) => `${model} has a context window of ${tokens} tokens`,
    unknownWindow: (model: string) => `the context window of ${model} is unknown`,
    setWindow: 'Set models.NAME.window in the configuration.',
    claudeWindow: 'with a custom address, Claude Code may assume a smaller context window than the model has',
    claudeAdvice:
      'Start it with “plimsoll run -- claude”: if the upstream is Anthropic and requests are not changed, it tells Claude Code so. Or use a model name with [1m].',
  },
}
