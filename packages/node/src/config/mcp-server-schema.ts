import { z } from 'zod'
import { name, numberFrom } from './schema-parts.ts'

const texts = (error: string, description: string) =>
  z.record(z.string(), z.string({ error: 'text' }).describe(description), { error }).exactOptional()

/** What may be set about one server of tools. */
export const mcpServerSchema = z
  .strictObject(
    {
      command: name('a command')
        .describe('The program that is started and speaks the protocol on its standard input and output.')
        .exactOptional(),
      args: z
        .array(z.string({ error: 'text' }), { error: 'a list of texts' })
        .describe("The program's arguments.")
        .exactOptional(),
      env: texts(
        'a mapping of variables',
        'A variable for the program, beside the few that every program needs; `${NAME}` stands for one of your own.',
      ),
      url: name('an address').describe('The address of a server that is running already.').exactOptional(),
      headers: texts(
        'a mapping of headers',
        'A header of every request to the server; `${NAME}` stands for a variable of your own.',
      ),
      allow: z
        .array(name("a tool's name"), { error: 'a list of tool names' })
        .describe('Tools of the server that run without asking.')
        .exactOptional(),
      timeout_seconds: numberFrom(0.1)
        .describe('How long one call of a tool may take; 60 where nothing is said.')
        .exactOptional(),
    },
    { error: 'a mapping of settings' },
  )
  .describe('One server: a command, or an address.')
