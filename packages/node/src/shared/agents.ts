/** An agent: its name, and the program that starts it under `plimsoll run`, if there is one. */
export interface Agent {
  readonly name: string
  readonly program: string | null
}

const agents: Readonly<Record<string, Agent>> = {
  'claude-code': { name: 'Claude Code', program: 'claude' },
  codex: { name: 'Codex', program: 'codex' },
  copilot: { name: 'Copilot CLI', program: 'copilot' },
  cline: { name: 'Cline', program: null },
  gemini: { name: 'Gemini CLI', program: 'gemini' },
  'gemini-chat': { name: 'Gemini CLI', program: 'gemini' },
  opencode: { name: 'opencode', program: 'opencode' },
  openhands: { name: 'OpenHands', program: null },
  'openhands-sdk': { name: 'OpenHands', program: null },
  pi: { name: 'pi', program: 'pi' },
  plimsoll: { name: 'Plimsoll', program: null },
  'swe-agent': { name: 'SWE-agent', program: null },
}

/** The name of an agent by the format of its logs, or the format itself. */
export function agentName(format: string): string {
  return Object.hasOwn(agents, format) ? (agents[format] as Agent).name : format
}

/** The program of an agent by its name or the format of its logs; `AGENT`, to be replaced, for one without. */
export function agentProgram(agent: string): string {
  return Object.entries(agents).find(([format, { name }]) => agent === format || agent === name)?.[1].program ?? 'AGENT'
}
