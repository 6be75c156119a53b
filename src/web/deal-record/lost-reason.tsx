// Asks why a deal is lost: one of the organization's reasons, or any text where it keeps none.

import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, useState } from 'react'
import type { Client } from 'urql'
import { useBack } from '../frame/floating/use-back.ts'
import { LostReasonsDocument } from '../generated/documents/deal-record.ts'
import { dealWords } from '../language/en/deals/deals.ts'

const words = dealWords.lost

/** Resolves with the reason; null when the person has thought better of it. */
export async function askLostReason(client: Client, title: string): Promise<string | null> {
  const { data } = await client.query(LostReasonsDocument, {}).toPromise()
  return new Promise(resolve => {
    const id = modals.open({
      title: words.title(title),
      closeButtonProps: { 'aria-label': words.close },
      onClose: () => resolve(null),
      children: (
        <LostReason
          reasons={data?.dealSettings.lostReasons ?? []}
          onDone={reason => {
            resolve(reason)
            modals.close(id)
          }}
        />
      ),
    })
  })
}

function LostReason({ reasons, onDone }: { reasons: readonly string[]; onDone(reason: string | null): void }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  // The history entry goes at once, and not after the fading.
  const [isOpen, setOpen] = useState(true)
  const end = (given: string | null) => {
    setOpen(false)
    onDone(given)
  }
  useBack(isOpen, () => end(null))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') setProblem(words.needed)
    else end(reason.trim())
  }
  const choose = (next: string) => {
    setProblem(null)
    setReason(next)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {reasons.length > 0 ? (
          <Radio.Group label={words.why} value={reason} error={problem} onChange={choose}>
            <Stack gap="xs" mt="xs">
              {reasons.map((one, index) => (
                <Radio key={one} value={one} label={one} data-autofocus={index === 0 || undefined} />
              ))}
            </Stack>
          </Radio.Group>
        ) : (
          <TextInput
            label={words.why}
            maxLength={200}
            value={reason}
            error={problem}
            data-autofocus
            onChange={event => choose(event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          <Button type="submit">{words.verb}</Button>
          <Button variant="default" onClick={() => end(null)}>
            {words.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
