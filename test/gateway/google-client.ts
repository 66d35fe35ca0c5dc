import { type Content, type GenerateContentResponse, GoogleGenAI, type Part, Type } from '@google/genai'
import { type Client, type ClientAnswers, type ClientCall, maxRounds } from './client.ts'
import { runTool, task } from './task.ts'

/** Google's own library. */
export const googleClient: Client = { name: 'google', dialect: 'gemini', run }

async function run(call: ClientCall): Promise<ClientAnswers> {
  const client = new GoogleGenAI({ apiKey: call.key, httpOptions: { baseUrl: call.url } })
  const contents: Content[] = [
    { role: 'user', parts: [{ text: task.question }, { inlineData: { mimeType: 'image/png', data: task.image } }] },
  ]
  const received = { text: '', calls: [] as string[], usage: [] as unknown[] }
  for (let round = 0; round < maxRounds; round += 1) {
    const answers = await ask(client, contents, call)
    const parts = answers.flatMap((answer) => answer.candidates?.[0]?.content?.parts ?? [])
    received.text += parts.map(({ text }) => text ?? '').join('')
    received.usage.push(answers.at(-1)?.usageMetadata)
    const asked = parts.flatMap(({ functionCall }) => functionCall ?? [])
    contents.push({ role: 'model', parts })
    const results: Part[] = asked.map(({ id, name = '', args }) => {
      received.calls.push(`${name} ${JSON.stringify(args)}`)
      return { functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: runTool(name, args) } } }
    })
    if (results.length === 0) break
    contents.push({ role: 'user', parts: results })
  }
  return received
}

async function ask(
  client: GoogleGenAI,
  contents: Content[],
  { isStreamed, signal, onPiece }: ClientCall,
): Promise<readonly GenerateContentResponse[]> {
  const body = {
    model: 'gemini-2.5-pro',
    contents,
    config: {
      systemInstruction: task.system,
      tools: [
        {
          functionDeclarations: task.tools.map(({ name, description, argument }) => ({
            name,
            description,
            parameters: { type: Type.OBJECT, properties: { [argument]: { type: Type.STRING } }, required: [argument] },
          })),
        },
      ],
      ...(signal === undefined ? {} : { abortSignal: signal }),
    },
  }
  if (!isStreamed) return [await client.models.generateContent(body)]
  const answers: GenerateContentResponse[] = []
  for await (const answer of await client.models.generateContentStream(body)) {
    answers.push(answer)
    onPiece?.()
  }
  return answers
}
