/** The address of a worker's file beside a module, by its name without an ending: TypeScript beside the sources, JavaScript beside what was built. */
export function workerUrl(name: string, beside: string): URL {
  return new URL(`${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
}
