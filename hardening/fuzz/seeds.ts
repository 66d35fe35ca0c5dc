import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url).pathname

/** The folder next to the repository with recorded sessions of other agents, if it exists; otherwise only the project's own recordings are used. */
const recorded = join(root, '../shared/sessions')

/**
 * The starts of recorded logs: a few complete JSON lines; nothing of a single long JSON value. The number of files per folder is
 * limited, so that no agent crowds out the others.
 */
export function recordedLines(longest: number, filesEach = 3): readonly string[] {
  return recordedFiles(filesEach, /\.jsonl$/).flatMap((file) => {
    const lines = headOf(file, 400_000)
      .split('\n')
      .filter((line) => line.length < longest / 4)
    const seeds: string[] = []
    for (let from = 0; from < lines.length && seeds.length < 3; ) {
      let to = from
      for (let length = 0; to < lines.length && length + (lines[to] as string).length < longest; to += 1)
        length += (lines[to] as string).length + 1
      seeds.push(lines.slice(from, to).join('\n'))
      from = Math.max(to, from + 1)
    }
    return seeds
  })
}

/** Recorded JSON documents with long texts and lists shortened. */
export function recordedDocuments(longest: number): readonly string[] {
  return recordedFiles(2, /\.(?:json|traj)$/).flatMap((file) => {
    if (statSync(file).size > 5_000_000) return []
    for (const most of [8, 4, 2, 1]) {
      const text = JSON.stringify(shortened(JSON.parse(readFileSync(file, 'utf8')), most, 0))
      if (text.length <= longest) return [text]
    }
    return []
  })
}

/** The requests in the repository. */
export function exampleRequests(): readonly string[] {
  const conversation: unknown = JSON.parse(readFileSync(join(root, 'packages/node/example/conversation.json'), 'utf8'))
  return [8, 4].map((most) => JSON.stringify(shortened(conversation, most, 0)))
}

function recordedFiles(each: number, name: RegExp): readonly string[] {
  const folders = entriesOf(recorded)
  return folders.flatMap((folder) =>
    entriesOf(join(recorded, folder))
      .filter((file) => name.test(file) && file !== 'SOURCE.json')
      .slice(0, each)
      .map((file) => join(recorded, folder, file)),
  )
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function headOf(file: string, characters: number): string {
  return readFileSync(file, 'utf8').slice(0, characters)
}

function shortened(value: unknown, most: number, depth: number): unknown {
  if (typeof value === 'string') return value.length > most * 20 ? value.slice(0, most * 20) : value
  if (typeof value !== 'object' || value === null || depth > 30) return value
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, most, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most * 5)
      .map(([key, field]) => [key, shortened(field, most, depth + 1)]),
  )
}

/** Recorded error bodies of providers next to the repository, if any. */
export function overflowCases(): readonly string[] {
  try {
    const cases = JSON.parse(readFileSync(join(root, '../shared/overflow/cases.json'), 'utf8')) as readonly {
      readonly body: unknown
    }[]
    return cases.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body)))
  } catch {
    return []
  }
}
