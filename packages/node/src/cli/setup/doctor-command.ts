import { defaultConfig } from '@plimsoll/core/policies'
import { isUpstreamAddress } from '../../config/upstream-address.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, environmentLocale } from '../command-io.ts'
import { gatewayPlace } from '../gateway/gateway-place.ts'
import { readSettings, type Speak } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { type ColourOptions, type Paint, paintFor } from '../terminal/screen.ts'
import { writeJson } from '../terminal/write-out.ts'
import { askProviders } from './ask-providers.ts'
import { checkFolder, checkNode, checkPort, checkStore, checkWindows } from './check-machine.ts'
import { proveBytes } from './prove-bytes.ts'

/** The options of `plimsoll doctor` as they were written. */
export interface DoctorOptions extends ColourOptions {
  readonly url?: string
  readonly upstream?: readonly string[]
  readonly store?: string
  readonly model?: string
  readonly live?: boolean
  readonly json?: boolean
}

/** Looks at everything that a gateway needs, proves what it does to requests, and says what to do. Throws `EndedWith` where something is wrong. */
export async function doctorCommand(options: DoctorOptions, io: CommandIo, speak: Speak): Promise<void> {
  const { checks, strings } = await examine(options, io, speak)
  const problems = checks.filter(({ state }) => state === 'problem').length
  if (options.json === true) writeJson({ isWell: problems === 0, checks }, 'doctor', strings, io.stdout)
  else {
    const { doctor } = strings.gateway
    const paint = paintFor(io.stdout, options, io)
    for (const check of checks) io.stdout.write(`${lineOf(check, doctor, paint)}\n`)
    io.stdout.write(`${problems === 0 ? doctor.allWell : doctor.problems(String(problems))}\n`)
  }
  if (problems > 0) throw new EndedWith(1)
}

async function examine(
  options: DoctorOptions,
  io: CommandIo,
  speak: Speak,
): Promise<{ readonly checks: readonly DoctorCheck[]; readonly strings: Strings }> {
  const { settings, trouble } = settingsOf(options, io, speak)
  const strings = settings?.strings ?? stringsFor(options.json === true ? null : environmentLocale(io.environment))
  const { doctor } = strings.gateway
  const config = settings?.config ?? defaultConfig
  const url = options.url?.replace(/\/+$/, '')
  if (url !== undefined && !isUpstreamAddress(url))
    throw new CommandError(strings.gateway.badUpstream(cleanText(JSON.stringify(options.url))).replace('--upstream', '--url'), 2)
  const { upstream, store } = options
  const flags = {
    public: true,
    token: 'x'.repeat(16),
    ...(upstream === undefined ? {} : { upstream }),
    ...(store === undefined ? {} : { store }),
  }
  const place = gatewayPlace(flags, config.gateway, io, strings)
  const model = options.model ?? null
  const checks = [
    checkNode(process.versions.node, strings),
    trouble === null ? well('config', doctor.config) : wrong('config', `${doctor.badConfig}\n${trouble}`, doctor.fixConfig),
    checkFolder(io, strings),
    await checkStore(place.store, io, strings),
    await checkPort(place, url, strings),
    ...(await proveBytes(config, io, strings)),
    ...(options.live === true ? await askProviders({ place, config, model }, io, strings) : []),
    ...(await checkWindows({ model, location: place.store, config }, io, strings)),
  ]
  return { checks, strings }
}

/** A configuration that is wrong is one more thing to be told, and the rest is looked at all the same. */
function settingsOf(options: DoctorOptions, io: CommandIo, speak: Speak) {
  try {
    return { settings: readSettings({ json: options.json === true }, io, speak), trouble: null }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { settings: null, trouble: error.message }
  }
}

function lineOf({ state, text, advice }: DoctorCheck, strings: Strings['gateway']['doctor'], paint: Paint): string {
  const mark =
    state === 'ok'
      ? paint('good', strings.ok)
      : state === 'problem'
        ? paint('error', strings.problem)
        : paint('dim', strings.note)
  const [first = '', ...more] = text.split('\n')
  return [`${mark}  ${first}`, ...[...more, ...(advice === null ? [] : [advice])].map((line) => `    ${line}`)].join('\n')
}

/** What somebody looked at, and what came of it. */
export interface DoctorCheck {
  /** A stable name, for programs. */
  readonly name: string
  readonly state: 'ok' | 'problem' | 'note'
  readonly text: string
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null
}

/** Something that is as it should be. */
export function well(name: string, text: string): DoctorCheck {
  return { name, state: 'ok', text, advice: null }
}

/** Something that is wrong, and what to do. */
export function wrong(name: string, text: string, advice: string): DoctorCheck {
  return { name, state: 'problem', text, advice }
}

/** Something that is worth knowing. */
export function note(name: string, text: string, advice: string | null = null): DoctorCheck {
  return { name, state: 'note', text, advice }
}
