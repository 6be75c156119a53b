// Writes one's own words. Enter sends them; typed words stay until the agent has answered.

import { Button, Group, Textarea } from '@mantine/core'
import { type Ref, useState } from 'react'
import { talkWords } from '../../language/en/screens/talk.ts'

interface ComposerProps {
  ref: Ref<HTMLTextAreaElement>
  isOff: boolean
  isBusy: boolean
  /** Resolves with whether the words were said. */
  onSend(text: string): Promise<boolean>
}

// As the server takes them.
const maxLength = 4000

export function Composer({ ref, isOff, isBusy, onSend }: ComposerProps) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const send = async () => {
    if (isEmpty || isBusy || isOff) return
    setText('')
    // The words come back where they were not said, unless others were typed meanwhile.
    if (!(await onSend(text.trim()))) setText(typed => (typed === '' ? text : typed))
  }
  return (
    <Group mt="xs" gap="xs" wrap="nowrap" align="start">
      <Textarea
        ref={ref}
        size="xs"
        flex={1}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={maxLength}
        aria-label={talkWords.words}
        placeholder={talkWords.say}
        value={text}
        disabled={isOff}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          void send()
        }}
      />
      <Button disabled={isOff || isEmpty} loading={isBusy} onClick={() => void send()}>
        {talkWords.send}
      </Button>
    </Group>
  )
}
