import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importsOf, root, type SourceFile } from './source-files.ts'

/** The public names of `@plimsoll/core`. Adding one is a decision. */
const coreNames = [
  'ContextLengthExceededError',
  'ReadError',
  'acceptSummary',
  'answerRecall',
  'answerUsage',
  'applyEdits',
  'asShown',
  'assembleLayers',
  'believedLifetime',
  'binaryFields',
  'bindsThinking',
  'branchOf',
  'buildReactText',
  'buildView',
  'cacheBreak',
  'cacheTermsOf',
  'calibrate',
  'callInput',
  'canonicalPart',
  'canonicalValue',
  'chainOf',
  'chainOfMessages',
  'checkEntry',
  'checkView',
  'classifyFailure',
  'codecs',
  'commandChanges',
  'compactionBreaker',
  'compactionDue',
  'completeConfig',
  'compressOldResults',
  'contentKinds',
  'contextManagementName',
  'costOfTurn',
  'countImages',
  'countMessage',
  'countMessages',
  'countPart',
  'countedFill',
  'createConversation',
  'createCounterfactual',
  'createEconomyPolicies',
  'createExtractor',
  'createFillSum',
  'createFreshness',
  'createIdBook',
  'createLearnedModels',
  'createMessageColumns',
  'createPromptCache',
  'createSampledTokenizer',
  'createTrimmer',
  'currentRound',
  'decisionKeys',
  'defaultConfig',
  'defaultEconomyRules',
  'defaultGatewaySettings',
  'describeOverflow',
  'detached',
  'detectCodec',
  'digestOf',
  'economic',
  'economyPolicies',
  'emptyLedger',
  'escapeUnprintable',
  'escapedPieces',
  'estimateTokens',
  'estimator',
  'exportFormats',
  'extractOf',
  'factsOfSegment',
  'failureWords',
  'filterBinary',
  'findLargeImages',
  'finishResultSummary',
  'fitWindow',
  'foldLine',
  'foldSegment',
  'formatVersion',
  'gatewayEdits',
  'gatewayFindings',
  'gatewayMode',
  'gatewayParts',
  'gatewayPolicies',
  'gentlerMode',
  'grouped',
  'handleOf',
  'hasNoCache',
  'headLength',
  'heldEdits',
  'hideOldSummaries',
  'historyElsewhere',
  'identifyMessages',
  'imageProgressStrings',
  'immediate',
  'inputText',
  'inspectBranch',
  'isCold',
  'isCommonCallId',
  'isContextLengthExceeded',
  'isError',
  'isHeldOut',
  'isLayer',
  'isPlainPath',
  'isRecord',
  'isSaid',
  'isSameDecision',
  'isSha256',
  'joinEdits',
  'keptAlive',
  'kindsOfMessage',
  'knownModels',
  'knownPrices',
  'labelText',
  'learnLifetime',
  'leastHeldOut',
  'limitToolOutput',
  'loadOf',
  'mainPiece',
  'manageContext',
  'maxLevels',
  'mayKeepAlive',
  'mendLine',
  'mentionsIn',
  'messageText',
  'modelFacts',
  'modelStrings',
  'momentOf',
  'mostBytes',
  'newDecisions',
  'normaliseUsage',
  'outputReserve',
  'overflowStrings',
  'packInspection',
  'pairToolCalls',
  'parentOf',
  'parseReact',
  'parseReactTurns',
  'patchText',
  'patchValue',
  'patchedFiles',
  'pathKey',
  'placeRules',
  'plainCounts',
  'planCompaction',
  'planKeepAlive',
  'planResultSummary',
  'planRows',
  'policiesNamed',
  'policyNames',
  'previewCompaction',
  'priceOf',
  'promptTotal',
  'protect',
  'providerError',
  'reactMessages',
  'reactText',
  'readHead',
  'readLine',
  'recall',
  'recallTool',
  'redactHomeFolders',
  'redactSecrets',
  'rememberedCounts',
  'replay',
  'resultText',
  'roundsOf',
  'rulesText',
  'saidText',
  'sampledEstimator',
  'scaleFill',
  'settleLedger',
  'shellCommands',
  'shownMedia',
  'silentOverflow',
  'sizeMessage',
  'specPolicies',
  'startReplay',
  'stateAfter',
  'stringsNamed',
  'sumCosts',
  'summariseSavings',
  'summaryPrompt',
  'summaryRequest',
  'terminalText',
  'todoList',
  'todoRecap',
  'toolResults',
  'toolRules',
  'transcriptHandle',
  'transcriptOf',
  'trimMessages',
  'trimModes',
  'trimOutdatedCommands',
  'trimRepeatedReads',
  'unpackInspection',
  'unpricedTokens',
  'unprintable',
  'usageTotal',
  'usualRules',
  'usualTerms',
  'viewRequest',
  'wholeOf',
  'windowCategories',
  'windowFill',
  'wireDialects',
  'withAppliedEdits',
  'withEscapedControls',
  'withMentionReminder',
  'withModelWindow',
  'withOutputLimit',
  'withReportedLimit',
  'withShownText',
  'withoutLoneSurrogates',
  'writeLine',
  'writeRequest',
  'writeSummary',
]

/** The source documents' own names, in `@plimsoll/core/spec`. */
const specNames = [
  'formatToolResultForModel',
  'sanitizeToolResultForHistory',
  'sanitizeToolResultsJson',
  'simplifyHistoricalFileReads',
  'simplifyOutdatedTerminalResults',
  'summarizeToolResult',
  'toolResultsMessage',
  'truncateToolResult',
]

const entries = ['packages/core/dist/index.js', 'packages/core/dist/spec.js']

describe('the built core', () => {
  it('is there: `npm run build` makes it', () => expect(entries.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]))

  it.each([
    ['@plimsoll/core', coreNames],
    ['@plimsoll/core/hosts', ['conversations']],
    ['@plimsoll/core/spec', specNames],
  ])('exports from %s exactly the names it lists', (name, names) => expect(namesInNode(name)).toEqual(names))

  it('imports nothing from outside', () => {
    const imports = reachable(entries).flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(20)
    expect(imports.filter(({ to, relative }) => !relative || !to.startsWith('packages/core/dist/'))).toEqual([])
  })

  it('holds no tests', () => expect(reachable(entries).filter(({ path }) => /\.test\.|\/testing\//.test(path))).toEqual([]))

  it('stays small: below 335 kB as it travels, compressed', () => {
    const bytes = gzipSync(
      reachable(entries)
        .map((file) => file.text)
        .join('\n'),
    ).length
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(335_000)
  })

  it.each(['packages/core', 'packages/node'])('has its licence in %s', (folder) => {
    expect(readFileSync(`${root}/${folder}/LICENSE`, 'utf8')).toBe(readFileSync(`${root}/LICENSE`, 'utf8'))
  })
})

/** The names a package gives to a plain Node program, which knows nothing of this test runner. */
function namesInNode(name: string): unknown {
  const program = `import * as all from ${JSON.stringify(name)}\nconsole.log(JSON.stringify(Object.keys(all)))`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' })
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr
}

/** The files that are loaded when these are: what is left over from an older build does not count. */
function reachable(paths: readonly string[]): readonly SourceFile[] {
  const found = new Map<string, SourceFile>()
  const queue = [...paths]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    const file = { path, text: readFileSync(`${root}/${path}`, 'utf8') }
    found.set(path, file)
    queue.push(...importsOf(file).flatMap(({ to, relative }) => (relative ? [posix.normalize(to)] : [])))
  }
  return [...found.values()]
}
