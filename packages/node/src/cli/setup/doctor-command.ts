import { defaultConfig } from '@plimsoll/core/policies'
import { isUpstreamAddress } from '../../config/upstream-address.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, environmentLocale } from '../command-io.ts'
import { gatewayPlace } from '../gateway/gateway-place.ts'
import { readSettings } from '../settings.ts'
import { quotedText } from '../terminal/clean-text.ts'
import { type ColourOptions, type Paint, paintFor } from '../terminal/screen.ts'
import { writeJson } from '../terminal/write-out.ts'
import { askProviders } from './ask-providers.ts'
import { checkFolder, checkNode, checkPort, checkStore, checkWindows, type DoctorCheck, well, wrong } from './check-machine.ts'
import { proveBytes } from './prove-bytes.ts'

export interface DoctorOptions extends ColourOptions {
  readonly url?: string
  readonly upstream?: readonly string[]
  readonly store?: string
  readonly model?: string
  readonly live?: boolean
  readonly json?: boolean
}

/** Looks at everything that a gateway needs, proves what it does to requests, and says what to do. Throws `EndedWith` where something is wrong. */
export async function doctorCommand(options: DoctorOptions, io: CommandIo): Promise<void> {
  const { checks, strings } = await examine(options, io)
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
): Promise<{ readonly checks: readonly DoctorCheck[]; readonly strings: Strings }> {
  const { settings, trouble } = settingsOf(options, io)
  const strings = settings?.strings ?? stringsFor(options.json === true ? null : environmentLocale(io.environment))
  const { doctor } = strings.gateway
  const config = settings?.config ?? defaultConfig
  const url = options.url?.replace(/\/+$/, '')
  if (url !== undefined && !isUpstreamAddress(url))
    throw new CommandError(strings.gateway.badUpstream(quotedText(options.url)).replace('--upstream', '--url'), 2)
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
function settingsOf(options: DoctorOptions, io: CommandIo) {
  try {
    return { settings: readSettings({ json: options.json === true }, io), trouble: null }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { settings: null, trouble: error.message }
  }
}

function lineOf({ state, text, advice }: DoctorCheck, strings: Strings['gateway']['doctor'], paint: Paint): string {
  const marks = { ok: paint('good', strings.ok), problem: paint('error', strings.problem), note: paint('dim', strings.note) }
  const [first = '', ...more] = text.split('\n')
  return [`${marks[state]}  ${first}`, ...[...more, ...(advice === null ? [] : [advice])].map((line) => `    ${line}`)].join('\n')
}
