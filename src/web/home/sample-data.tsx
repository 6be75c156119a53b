// Sample data: a button that adds it, and a notice with one click to remove it.

import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFlask } from '@tabler/icons-react'
import { type Outcome, useMutationWithProblems } from '../data/use-write.ts'
import { AddSampleDataDocument, RemoveSampleDataDocument } from '../generated/documents/home.ts'
import { announce } from '../keyboard/announce.tsx'
import { homeWords } from '../language/en/home.ts'
import { useMe } from '../session/use-me.ts'
import classes from './home.module.css'

const words = homeWords.sample

/** Shows a failure as a toast. Pages follow by the stream of changes. */
async function told(outcome: Promise<Outcome<unknown>>, failed: string): Promise<boolean> {
  const { failure } = await outcome
  if (failure) notifications.show({ color: 'red', title: failed, message: failure.message, closeButtonProps: { 'aria-label': 'Dismiss' } })
  return failure === null
}

export function AddSampleData() {
  const { isOff } = useMe()
  const { run, isRunning } = useMutationWithProblems(AddSampleDataDocument)
  return (
    <Button variant="default" disabled={isOff} loading={isRunning} onClick={() => void told(run({}), words.notAdded)}>
      {homeWords.start.contacts.sample}
    </Button>
  )
}

export function SampleDataNotice() {
  const { isOff } = useMe()
  const { run, isRunning } = useMutationWithProblems(RemoveSampleDataDocument)
  const remove = async () => {
    if (await told(run({}), words.notRemoved)) announce(words.removed)
  }
  return (
    <Alert className={classes.sample} color="gray" variant="light" icon={<IconFlask />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{words.notice}</Text>
        <Button variant="default" disabled={isOff} loading={isRunning} onClick={() => void remove()}>
          {words.remove}
        </Button>
      </Group>
    </Alert>
  )
}
