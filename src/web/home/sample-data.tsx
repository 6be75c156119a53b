// Sample data: a button that adds it, and a notice with one click to remove it.

import { Alert, Button, Group, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { AddSampleDataDocument, RemoveSampleDataDocument } from '../generated/documents/home.ts'
import { announce } from '../keyboard/announce.tsx'
import { homeWords } from '../language/en/home.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { useMe } from '../session/use-me.ts'
import classes from './home.module.css'

const words = homeWords.sample

export function AddSampleData() {
  const { isOff } = useMe()
  const { run, isRunning } = useMutationWithProblems(AddSampleDataDocument)
  const add = async () => {
    const { failure } = await run({})
    if (failure) tellRefusal(words.notAdded, failure)
  }
  return (
    <Button variant="default" disabled={isOff} loading={isRunning} onClick={() => void add()}>
      {homeWords.start.contacts.sample}
    </Button>
  )
}

export function SampleDataNotice() {
  const { isOff } = useMe()
  const { run, isRunning } = useMutationWithProblems(RemoveSampleDataDocument)
  const remove = async () => {
    const { failure } = await run({})
    if (failure) tellRefusal(words.notRemoved, failure)
    else announce(words.removed)
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
