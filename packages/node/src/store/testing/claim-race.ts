// Opens a store, reports that, waits for a line, claims the same parts as others with its own bytes, and prints which ones hold.
import { once } from 'node:events'
import { openGatewayStore } from '../open-gateway-store.ts'
import { claim } from './samples.ts'

const [, , location = '', name = ''] = process.argv
const store = await openGatewayStore(location, { now: Date.now })
process.stdout.write('open\n')
await once(process.stdin, 'data')
const held: unknown[] = []
for (let number = 0; number < 40; number++) held.push(await store.claim('tenant', [claim(`k${number}`, `${number} by ${name}`)]))
process.stdout.write(`${JSON.stringify(held)}\n`)
await store.close()
process.exit(0)
