// Claims one part after another until it is killed, and says of each that it is written down, only then.
import { openGatewayStore } from '../open-gateway-store.ts'
import { claim } from './samples.ts'

const [, , location = '', name = ''] = process.argv
const store = await openGatewayStore(location, { now: Date.now })
for (let number = 0; ; number++) {
  const key = `${name}-${number}`
  await store.claim('tenant', [claim(key, `short ${'words '.repeat(number % 50)}`, { handle: key })])
  process.stdout.write(`${key}\n`)
}
