import type { McpServer } from '@plimsoll/core/policies'
import { checkAddress, type Environment } from '../../model/server-access.ts'

type Texts = Readonly<Record<string, string>>

/** How a tool server is reached: a program that is started, or an address. */
export type McpAccess = (
  | { readonly kind: 'process'; readonly command: string; readonly args: readonly string[]; readonly environment: Texts }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Texts }
) & {
  /** Values from the environment. They are in no file, and must not be in a log either. */
  readonly secrets: readonly string[]
}

/**
 * The settings of a server, with `${NAME}` in variables and headers replaced from the environment, so that no key has to be in a
 * file. Throws an `Error` that says what is wrong, without any value.
 */
export function mcpAccessOf(server: McpServer, environment: Environment): McpAccess {
  const { command, args = [], env = {}, url, headers = {} } = server
  if ((command === undefined) === (url === undefined)) throw new Error('expected a command or an address, and not both')
  const secrets = secretsIn([...Object.values(env), ...Object.values(headers)], environment)
  if (url !== undefined) return { kind: 'http', url: checkAddress(url, 'url'), headers: headersOf(headers, environment), secrets }
  if (command === undefined) throw new Error('expected a command')
  const texts = [command, ...args, ...Object.entries(env).flat()]
  if (texts.some((text) => text.includes('\0'))) throw new Error('a command, its arguments and its variables cannot hold a NUL')
  const variables = { ...inherited(environment), ...expanded('env', env, environment) }
  return { kind: 'process', command, args, environment: variables, secrets }
}

export function withoutGivenSecrets(text: string, { secrets }: McpAccess): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
/** A shorter one is a word that may occur anywhere. */
const minSecret = 8

/** The values of the variables that are named, the longest first: one may hold another. */
function secretsIn(values: readonly string[], environment: Environment): readonly string[] {
  const names = values.flatMap((value) => [...value.matchAll(variable)].map(([, name = '']) => name))
  const secrets = [...new Set(names.map((name) => environment[name]?.trim() ?? ''))]
  return secrets.filter((secret) => secret.length >= minSecret).sort((one, other) => other.length - one.length)
}

/** What every program needs. Keys for models, and everything else in the environment, are not passed on. */
const inheritedNames = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TMP', 'TEMP'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE'],
  ...['SYSTEMROOT', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

function inherited(environment: Environment): Texts {
  return Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function headersOf(headers: Texts, environment: Environment): Texts {
  const result = expanded('headers', headers, environment)
  for (const [name, value] of Object.entries(result)) {
    // Sending it would fail, and that error repeats it.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value))
      throw new Error(`headers.${name}: expected what can be sent in a header`)
  }
  return result
}

function expanded(section: string, values: Texts, environment: Environment): Texts {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const full = value.replace(variable, (_whole, name: string) => {
        const found = environment[name]
        if (found === undefined) throw new Error(`${section}.${key}: the variable ${name} is not set`)
        return found
      })
      return [key, full]
    }),
  )
}
