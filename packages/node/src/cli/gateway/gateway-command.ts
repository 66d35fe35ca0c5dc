import { unusableProxies } from '../../config/upstream-address.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { type CommandIo, untilAborted } from '../command-io.ts'
import { openTrimLog } from '../open-log.ts'
import { readSettings, sayNotices } from '../settings.ts'
import { cleanText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { type GatewayCommandOptions, type GatewayPlace, gatewayPlace, storeName } from './gateway-place.ts'
import { cutsReads, forOtherAgents, type OpenGateway, openGateway, tallyText } from './open-gateway.ts'

/** Relays requests until it is stopped; then waits for running answers and prints the sums. */
export async function gatewayCommand(options: GatewayCommandOptions, io: CommandIo): Promise<void> {
  const stopped = (io.stopped ?? io.interrupted)?.() ?? new AbortController().signal
  const settings = await readSettings({ json: options.json === true, strings: options.strings, timing: options.timing }, io)
  const { strings } = settings
  const { config, limited } = forOtherAgents(settings.config, settings.origins)
  const place = gatewayPlace(options, config.gateway, io, strings)
  const say = (...notices: readonly string[]) => sayNotices(io, notices, options)
  const trimLog = openTrimLog(settings, io, { ...options, isDrawn: false })
  const gateway = await openGateway({ place, config, isWindowSet: settings.windowSetBy !== null, io, strings, trimLog })
  try {
    say(...settings.warnings.map(cleanText))
    const proxies = unusableProxies(io.environment).join(', ')
    if (proxies !== '') say(strings.gateway.unusableProxy(proxies))
    if (limited.length > 0 && cutsReads(place.mode)) say(cleanText(strings.gateway.readLimits(limited.join(', '))))
    const [wanted] = place.ports
    if (place.ports.includes(gateway.port) && gateway.port !== wanted)
      say(strings.server.serve.otherPort(String(wanted), String(gateway.port)))
    tell(gateway, place, options, io, strings)
    await untilAborted(stopped)
    say(strings.gateway.closing)
  } finally {
    await gateway.close()
  }
  const tally = gateway.tally()
  if (options.json === true) writeJson(tally, gateway.address, strings, io.stdout)
  else io.stdout.write(`${tallyText(tally, strings.gateway)}\n`)
}

function tell(
  { address, port }: OpenGateway,
  place: GatewayPlace,
  options: GatewayCommandOptions,
  io: CommandIo,
  strings: Strings,
): void {
  const { gateway } = strings
  const { mode, upstreams } = place
  const store = storeName(place.store, io, strings)
  if (options.json === true) return writeJson({ address, port, mode, upstreams, store }, address, strings, io.stdout)
  const chat = upstreams['openai-chat']
  const responses = upstreams['openai-responses']
  const lines = [
    gateway.ready(address),
    mode === 'observe' ? `${gateway.mode(mode)}   ${gateway.nothingChanges}` : gateway.mode(mode),
    gateway.upstream('anthropic', upstreams.anthropic),
    ...(chat === responses
      ? [gateway.upstream('openai', chat)]
      : [gateway.upstream('openai-chat', chat), gateway.upstream('openai-responses', responses)]),
    gateway.upstream('gemini', upstreams.gemini),
    gateway.store(store),
    ...(place.keepText ? [gateway.textKept] : []),
    ...(place.keepsCacheAlive ? [mode === 'observe' ? gateway.keepsNothing : gateway.keepsCache] : []),
    gateway.howToWire(`eval "$(plimsoll env claude${port === place.ports[0] && port === 7478 ? '' : ` --port ${port}`})"`),
    gateway.howToRun('plimsoll run -- claude'),
    gateway.howToStop,
    ...(place.isPublic ? [gateway.isPublic] : []),
  ]
  io.stdout.write(`${lines.map(cleanText).join('\n')}\n`)
}
