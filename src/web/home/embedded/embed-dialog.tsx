// Creates a key that shows a widget on another site. The address with the key is shown once.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Dialog } from '../../frame/floating/dialog.tsx'
import { CreateWidgetKeyDocument } from '../../generated/documents/home.ts'
import { cutText } from '../../language/characters.ts'
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
    <Dialog isOpen={isOpen} onClose={onClose} title={`Embed ${title}`}>
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
        <Text size="sm">Put this address into a frame. It is shown once: everyone who has it can read this widget, and nothing else.</Text>
        <CopyText text={`${window.location.origin}/widgets/${widgetId}#key=${key}`} label="the address" />
        <Text size="sm" c="dimmed">
          Only pages of the origins that the organization lists may frame it. They and the key stand under{' '}
          <AnchorLink to="/settings/embedding" replace inherit>
            Settings, Embedding
          </AnchorLink>
          .
        </Text>
        <Group>
          <Button onClick={onClose}>Done</Button>
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
          label="Place"
          description="The name of the key, by which you can revoke it later"
          value={label}
          onChange={event => setLabel(event.currentTarget.value)}
          data-autofocus
        />
        {failure && <ErrorNotice failure={failure} />}
        <Group gap="xs">
          <Button type="submit" loading={isRunning} disabled={label.trim() === ''}>
            Make the address
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
