/** The settings that a project's file may not decide, each with what it would be saying: they spend money, run programs, ask nobody or cannot be undone. */
export const notForProjects = {
  sessions: 'how your sessions are stored',
  model: 'which model you pay for',
  models: 'what your models can do and cost',
  agent: 'what the agent may do without asking',
  keep_alive: 'what is spent while nobody asks anything',
  images: 'which service you pay for pictures',
  mcp_servers: 'which programs are run',
  gateway: 'where your requests go and what is done to them',
} as const
