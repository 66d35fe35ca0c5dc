// A minimal gateway with the same parts, as the baseline for ours: node:http to the client, undici to the provider, bytes unchanged.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { Pool } = createRequire(new URL('../packages/node/package.json', import.meta.url))('undici')
const upstream = new Pool(process.argv[2], { bodyTimeout: 0, headersTimeout: 0, connections: 256 })

const server = createServer((request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers
  upstream
    .stream({ path: request.url, method: request.method, headers, body: request }, ({ statusCode, headers: told }) => {
      delete told.connection
      delete told['keep-alive']
      delete told['transfer-encoding']
      response.writeHead(statusCode, told)
      return response
    })
    .catch(() => response.destroy())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
