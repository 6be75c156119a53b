// Creates a key that shows a widget on another site. The address with the key is shown once.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Dialog } from '../../frame/floating/dialog.tsx'
import { CreateWidgetKeyDocument } from '../../generated/documents/home.ts'
import { cutText } from '../../language/characters.ts'
import { frameWords } from '../../language/en/frame.ts'
import { homeWords } from '../../language/en/home.ts'
import { settingsWords } from '../../language/en/settings/sections.ts'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { CopyText } from '../../pieces/copy-text.tsx'
import { AnchorLink } from '../../pieces/links.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'

interface EmbedDialogProps {
  widgetId: string
  title: string
  isOpen: boolean
  onClose(): void
}

export function EmbedDialog({ widgetId, title, isOpen, onClose }: EmbedDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={homeWords.embed.title(title)}>
      <Embed widgetId={widgetId} title={title} onClose={onClose} />
    </Dialog>
  )
}

function Embed({ widgetId, title, onClose }: Omit<EmbedDialogProps, 'isOpen'>) {
  const [label, setLabel] = useState(cutText(title, 60))
  const [key, setKey] = useState<string | null>(null)
  const { run, isRunning, failure } = useMutationWithProblems(CreateWidgetKeyDocument)
  const make = async () => {
    const { data } = await run({ input: { widgetId, label } })
    if (data) setKey(data.createWidgetKey.key)
  }
  if (key !== null)
    return (
      <Stack gap="md">
        <Text size="sm">{homeWords.embed.once}</Text>
        <CopyText text={`${window.location.origin}/widgets/${widgetId}#key=${key}`} label={homeWords.embed.theAddress} />
        <Text size="sm" c="dimmed">
          {homeWords.embed.where}{' '}
          <AnchorLink to="/settings/embedding" replace inherit>
            {`${frameWords.places.settings}, ${settingsWords.sections.embedding}`}
          </AnchorLink>
          .
        </Text>
        <Group>
          <Button onClick={onClose}>{homeWords.embed.done}</Button>
        </Group>
      </Stack>
    )
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void make()
      }}
    >
      <Stack gap="md">
        <TextInput
          label={homeWords.embed.place}
          description={homeWords.embed.placeHelp}
          value={label}
          onChange={event => setLabel(event.currentTarget.value)}
          data-autofocus
        />
        {failure && <ErrorNotice failure={failure} />}
        <Group gap="xs">
          <Button type="submit" loading={isRunning} disabled={label.trim() === ''}>
            {homeWords.embed.make}
          </Button>
          <Button variant="default" onClick={onClose}>
            {pieceWords.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
