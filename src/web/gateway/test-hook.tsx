// Tries a hook with a sample: shows the mapped actions, and runs none of them.

import { Alert, Autocomplete, Button, Code, Group, JsonInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { TestHookDocument } from '../generated/documents/gateway.ts'
import type { TestHookQuery } from '../generated/operations.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import { useIsAway } from '../live/connectivity.ts'
import { Part } from '../pieces/part.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import classes from './gateway.module.css'

type Answer = { test: TestHookQuery['testHook'] } | { failure: Failure }

export function TestHook({ names }: { names: string[] }) {
  const client = useClient()
  const isAway = useIsAway()
  const [name, setName] = useState(names[0] ?? '')
  const [payload, setPayload] = useState('{}')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const send = async () => {
    const value = read(payload)
    // The field shows its own error when it loses the focus.
    if (value === undefined) return
    const { data, error } = await client
      .query(TestHookDocument, { input: { name, payload: value } }, { requestPolicy: 'network-only' })
      .toPromise()
    setAnswer(data ? { test: data.testHook } : error ? { failure: failureOf(error) } : null)
  }
  return (
    <Part title={assistantPageWords.hooks.test} sentence={assistantPageWords.hooks.testSentence}>
      <Stack gap="sm">
        <Autocomplete label={assistantPageWords.hooks.hook} data={[...new Set(names)]} value={name} onChange={setName} maw={320} />
        <JsonInput
          label={assistantPageWords.hooks.payload}
          value={payload}
          onChange={setPayload}
          validationError={assistantPageWords.hooks.notJson}
          autosize
          minRows={4}
          maxRows={14}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group>
          <Button disabled={isAway || name === ''} onClick={() => void send()}>
            {assistantPageWords.hooks.test}
          </Button>
        </Group>
        {answer && <Result answer={answer} />}
      </Stack>
    </Part>
  )
}

function Result({ answer }: { answer: Answer }) {
  if ('failure' in answer) return <ErrorNotice failure={answer.failure} />
  const { status, error, mapping, actions } = answer.test
  return (
    <Alert
      color={status < 300 ? 'green' : 'amber'}
      variant="light"
      role="status"
      title={`${status}${mapping ? assistantPageWords.hooks.mappedBy(mapping) : ''}`}
    >
      {error && <Text size="sm">{error}</Text>}
      {actions.length === 0 && !error && <Text size="sm">{assistantPageWords.hooks.nothing}</Text>}
      {actions.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer's actions never change their order.
        <Code key={index} block className={classes.payload}>
          {action.kind} {JSON.stringify(action.payload, null, 2)}
        </Code>
      ))}
    </Alert>
  )
}

/** Undefined when the text is not JSON. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
