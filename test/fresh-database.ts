import { inject } from 'vitest'

/** The URL of an empty database in the PostgreSQL server that all tests share. Fails if it cannot run. */
export async function freshDatabase(): Promise<string> {
  const answer = await fetch(inject('postgres'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
