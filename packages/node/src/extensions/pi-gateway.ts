// The part of pi's API that is needed here.
interface Pi {
  registerProvider(name: string, provider: { readonly baseUrl: string }): void
}

/** An extension for pi, which reads no variable for addresses: sends the requests of three providers through the gateway at `PLIMSOLL_GATEWAY_URL`. */
// oxlint-disable-next-line import/no-default-export -- pi loads the default export
export default function throughGateway(pi: Pi): void {
  const address = process.env['PLIMSOLL_GATEWAY_URL'] ?? ''
  if (address === '') return
  for (const [name, path] of Object.entries(paths)) pi.registerProvider(name, { baseUrl: `${address}${path}` })
}

/** What each of pi's clients expects in an address. */
const paths = { anthropic: '', openai: '/v1', google: '/v1beta' }
