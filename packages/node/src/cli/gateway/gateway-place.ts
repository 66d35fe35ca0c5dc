import { resolve } from 'node:path'
import { defaultGatewaySettings, type GatewaySettings, trimModes } from '@plimsoll/core/policies'
import { homeFolder } from '../../config/home-folder.ts'
import { isInTheClear, isUpstreamAddress } from '../../config/upstream-address.ts'
import { logLevels } from '../../files/logger.ts'
import { isLoopbackHost } from '../../gateway/relay/host-guard.ts'
import { type WireDialect } from '../../store/gateway-record.ts'
import { isSharedStore } from '../../store/gateway-store.ts'
import { storeLocation } from '../../store/store-location.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { hostOf, portOf, tokenOf } from '../agent/serve-options.ts'
import { CommandError, type CommandIo, oneOf } from '../command-io.ts'
import type { ColourOptions } from '../terminal/screen.ts'
import { quotedText, tildePath } from '../terminal/text.ts'

export interface GatewayCommandOptions extends ColourOptions {
  readonly strings?: string
  readonly timing?: string
  readonly port?: string
  readonly host?: string
  readonly public?: boolean
  readonly token?: string
  readonly upstream?: readonly string[]
  readonly unencrypted?: boolean
  readonly trim?: string
  readonly store?: string
  readonly keepText?: boolean
  readonly keepCacheAlive?: boolean
  readonly json?: boolean
  readonly log?: string
}

/** Where a gateway listens, where it sends requests, and what it may do with them. `store` is a path, or the address of a database. */
export type GatewayPlace = Readonly<ReturnType<typeof gatewayPlace>>

export const gatewayTokenVariable = 'PLIMSOLL_GATEWAY_TOKEN'

/** Reads the options, and the settings for the rest. Throws `CommandError` for invalid values. */
export function gatewayPlace(
  options: GatewayCommandOptions,
  settings: GatewaySettings,
  { folder, environment }: Pick<CommandIo, 'folder' | 'environment'>,
  strings: Strings,
) {
  const { serve } = strings.server
  const host = hostOf(options.host ?? settings.host, serve)
  const isPublic = !isLoopbackHost(host)
  if (isPublic && options.public !== true) throw new CommandError(strings.gateway.needsPublic(host), 2)
  const token = tokenOf(options.token, gatewayTokenVariable, environment, serve)
  if (isPublic && token === null) throw new CommandError(strings.gateway.needsToken(host), 2)
  const keepsCacheAlive = options.keepCacheAlive ?? settings.keep_cache_alive
  if (isPublic && keepsCacheAlive) throw new CommandError(strings.gateway.keepsNoForeignCache(host), 2)
  const store = options.store ?? settings.store
  const { port } = settings
  const configured: readonly number[] = port === defaultGatewaySettings.port ? [port, ...nextPorts] : [port]
  return {
    host,
    ports: options.port === undefined ? configured : [portOf(options.port, serve)],
    isPublic,
    token,
    mode: oneOf(options.trim ?? settings.trim, trimModes, strings.gateway.badMode),
    upstreams: upstreamsOf(options.upstream ?? [], options.unencrypted === true, settings.upstreams, strings),
    store: store === null || isSharedStore(store) ? storeLocation(store, environment) : resolve(folder, store),
    keepText: options.keepText ?? settings.keep_text,
    keepsCacheAlive,
    log: oneOf(options.log ?? settings.log, logLevels, strings.gateway.badLevel),
  }
}

/** Removes a slash at the end, and the version that a gateway adds on its own. */
function upstreamRoot(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '').replace(/^(https?:\/\/[^/]+)\/v1$/, '$1')
}

const dialectsOf: Readonly<Record<keyof GatewaySettings['upstreams'], readonly WireDialect[]>> = {
  anthropic: ['anthropic'],
  openai: ['openai-chat', 'openai-responses'],
  gemini: ['gemini'],
}

/** Starts from the configuration; each `NAME=URL` or `URL` replaces what came before. */
function upstreamsOf(
  given: readonly string[],
  mayBeRead: boolean,
  configured: GatewaySettings['upstreams'],
  { gateway }: Strings,
) {
  const upstreams: Record<WireDialect, string> = {
    anthropic: upstreamRoot(configured.anthropic),
    'openai-chat': upstreamRoot(configured.openai),
    'openai-responses': upstreamRoot(configured.openai),
    gemini: upstreamRoot(configured.gemini),
  }
  const all = Object.keys(upstreams) as WireDialect[]
  for (const text of given) {
    const [, name, url = ''] = /^(?:([a-z-]{1,40})=)?(.*)$/s.exec(text) ?? []
    const dialects =
      name === undefined
        ? all
        : Object.hasOwn(dialectsOf, name)
          ? dialectsOf[name as keyof typeof dialectsOf]
          : all.filter((one) => one === name)
    if (dialects.length === 0) {
      const known = [...new Set([...Object.keys(dialectsOf), ...all])].join(', ')
      throw new CommandError(gateway.unknownDialect(quotedText(name ?? ''), known), 2)
    }
    // An invalid address may hold a password.
    if (!isUpstreamAddress(url)) throw new CommandError(gateway.badUpstream(quotedText(url.replace(/\/\/[^/]*@/, '//…@'))), 2)
    if (isInTheClear(url) && !mayBeRead) throw new CommandError(gateway.unencryptedUpstream(quotedText(url)), 2)
    for (const dialect of dialects) upstreams[dialect] = upstreamRoot(url)
  }
  return upstreams
}

/** The ports between are the web app's. */
const nextPorts = [7488, 7489, 7490, 7491, 7492]

/** A server that listens everywhere is reached from here by the loopback. */
export function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** The name of a store for the user: a database without its password, a file with the home folder as `~`. */
export function storeName(location: string, { environment }: Pick<CommandIo, 'environment'>, { gateway }: Strings): string {
  if (!isSharedStore(location)) return tildePath(location, homeFolder(environment))
  const url = URL.parse(location)
  return gateway.postgres(url === null ? '?' : `${url.host}${url.pathname}`)
}
