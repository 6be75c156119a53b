// agents talk: a conversation in writing. Each line is a turn of the other side.

import { clearLine, cursorTo } from 'node:readline'
import { createInterface, type Interface } from 'node:readline/promises'
import type { Client } from '../../../client/client.ts'
import type { Answer } from '../../../client/endpoints.ts'
import { isRolocomError } from '../../../client/errors.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import { pairOf } from '../contacts/fields.ts'
import type { CommonFlags } from '../flags.ts'
import { displayText, inStyle, isForPeople, printJsonLine, printLine, say } from '../output/print.ts'
import { printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'

export interface Flags extends CommonFlags {
  contact?: string
  variable?: string[]
}

type Conversation = Answer<'get', '/api/voice/v1/conversations/{conversation_id}'>
type Turn = Conversation['turns'][number]

const path = '/api/voice/v1/conversations'

export async function talk(this: Terminal, flags: Flags, agent: string): Promise<void> {
  const client = connect(this, flags)
  const agent_id = await agentNamed(client, agent)
  const variables = flags.variable && Object.fromEntries(flags.variable.map(pairOf))
  const wait = <Result>(work: Promise<Result>): Promise<Result> => waiting(this, flags, work)
  let conversation: Conversation = await wait(client.post(path, { body: { agent_id, contact_id: flags.contact, variables } }))
  const { id } = conversation
  if (isForPeople(this, flags)) say(this, 'A line is a turn. Ctrl-D leaves.')
  show(this, flags, conversation.turns)

  const input = createInterface({ input: this.process.stdin, output: isForPeople(this, flags) ? this.process.stdout : undefined })
  try {
    for await (const line of linesOf(this, flags, input)) {
      if (conversation.status === 'ended') break
      if (line.trim() === '') continue
      const known = conversation.turns.length
      const turn = client.post(`${path}/{conversation_id}/turns`, { path: { conversation_id: id }, body: { text: line } })
      // Too long or while the agent still answers: the next line may be said.
      conversation = await wait(turn).catch((error: unknown) => told(this, error, conversation))
      show(this, flags, conversation.turns.slice(known))
      if (conversation.status === 'ended') break
    }
  } finally {
    input.close()
  }
  const ended =
    conversation.status === 'ended'
      ? conversation
      : await wait(client.post(`${path}/{conversation_id}/end`, { path: { conversation_id: id } }))
  printResult(this, flags, ended)
}

const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The id of the agent. Throws CommandError unless exactly one has the name. */
async function agentNamed(client: Client, given: string): Promise<string> {
  if (isId(given)) return given
  const named: string[] = []
  for await (const { id, name, status } of client.list('/api/voice/v1/agents', { query: { limit: 200 } }))
    if (status !== 'archived' && name.toLowerCase() === given.toLowerCase()) named.push(id)
  const [id] = named
  if (id === undefined) throw new CommandError(`There is no voice agent named "${given}"; rolocom agents list shows them`, exitStatus.usage)
  if (named.length > 1)
    throw new CommandError(`${named.length} voice agents are named "${given}": give an id: ${named.join(', ')}`, exitStatus.usage)
  return id
}

/** The typed lines, until Ctrl-D, Ctrl-C or the end of the file. */
async function* linesOf(terminal: Terminal, flags: Flags, input: Interface): AsyncGenerator<string> {
  if (!isForPeople(terminal, flags)) return yield* input
  input.setPrompt(inStyle(terminal, 'dim', 'You: '))
  input.on('SIGINT', () => input.close())
  input.prompt()
  for await (const line of input) {
    yield line
    input.prompt()
  }
  printLine(terminal, '')
}

/** Shows a person that the agent thinks. Not by a spinner, which would take the keys that are typed ahead. */
async function waiting<Result>(terminal: Terminal, flags: Flags, work: Promise<Result>): Promise<Result> {
  const { stdout } = terminal.process
  if (!isForPeople(terminal, flags)) return work
  stdout.write(inStyle(terminal, 'dim', '...'))
  return work.finally(() => {
    cursorTo(stdout, 0)
    clearLine(stdout, 1)
  })
}

/** Says a refusal that lets the conversation go on. Throws any other error. */
function told(terminal: Terminal, error: unknown, conversation: Conversation): Conversation {
  if (!isRolocomError(error) || error.status !== 422) throw error
  say(terminal, error.message)
  return conversation
}

function show(terminal: Terminal, flags: Flags, turns: readonly Turn[]): void {
  for (const turn of turns)
    if (!isForPeople(terminal, flags)) printJsonLine(terminal, turn)
    else if (turn.role === 'tool')
      printLine(
        terminal,
        inStyle(terminal, 'dim', `  ${displayText(turn.tool_name)} ${displayText(turn.tool_input)}: ${displayText(turn.tool_output)}`),
      )
    else if (turn.role === 'agent')
      printLine(terminal, `${inStyle(terminal, 'bold', 'Agent:')} ${displayText(turn.text)} ${inStyle(terminal, 'dim', costOf(turn))}`)
}

/** How long it took, and the tokens. */
const costOf = ({ latency_ms, input_tokens, output_tokens }: Turn): string => {
  const tokens = input_tokens + output_tokens
  return `(${((latency_ms ?? 0) / 1000).toFixed(1)} s${tokens > 0 ? `, ${tokens} tokens` : ''})`
}

function printResult(terminal: Terminal, flags: Flags, conversation: Conversation): void {
  if (!isForPeople(terminal, flags)) return void printJsonLine(terminal, conversation)
  printFields(terminal, [
    ['conversation', conversation.id],
    ['outcome', conversation.outcome],
    ['ended', conversation.ended_reason],
    ['summary', conversation.summary],
    ...Object.entries(conversation.extracted),
    ['tokens', conversation.input_tokens + conversation.output_tokens || null],
    ['credits', conversation.credits_charged || null],
  ])
}
