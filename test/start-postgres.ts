import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgresServer } from '../packages/node/src/store/testing/postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which `freshDatabase` requests an empty database. */
    readonly postgres: string
  }
}

/** Shares one PostgreSQL server among all tests. It starts with the first request for a database and ends with the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | null = null
  const door = createServer((_request, response) => {
    server ??= startPostgresServer()
    server
      .then(({ createDatabase }) => createDatabase())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
      )
  })
  await new Promise<void>((resolve) => {
    door.listen(0, '127.0.0.1', resolve)
  })
  project.provide('postgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`)
  return async () => {
    door.closeAllConnections()
    door.close()
    await server?.then(({ remove }) => remove()).catch(() => {})
  }
}
